/** A service whose models can be asked with a key alone. Models are a proposal that the user may change. */
export interface KnownService {
  readonly name: string;
  /** `undefined`: the backend's own default address. */
  readonly baseUrl: string | undefined;
  readonly keyName: string;
  readonly models: readonly string[];
}

export const knownServices: readonly KnownService[] = [
  {
    name: 'OpenAI',
    baseUrl: undefined,
    keyName: 'OPENAI_API_KEY',
    models: ['gpt-6.2-sol', 'gpt-5.4', 'gpt-5.6-terra'],
  },
  {
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyName: 'OPENROUTER_API_KEY',
    models: ['openai/gpt-6.2-sol', 'x-ai/grok-4.6', 'deepseek/deepseek-v4-pro'],
  },
  {
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    keyName: 'XAI_API_KEY',
    models: ['grok-4.6', 'grok-4.5', 'grok-4.3'],
  },
  {
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    keyName: 'DEEPSEEK_API_KEY',
    models: ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-v4-pro'],
  },
];

/** Text of a team file whose agents all use one service or local server. */
export function teamText(options: {
  readonly title: string;
  readonly baseUrl: string | undefined;
  readonly keyName: string | undefined;
  readonly models: readonly string[];
}): string {
  const { title, baseUrl, keyName, models } = options;
  const agents = models.map((model, index) =>
    [
      `  - id: member_${String(index + 1)}`,
      '    backend:',
      '      type: chatcompletion',
      `      model: ${JSON.stringify(model)}`,
      ...(baseUrl === undefined ? [] : [`      base_url: ${JSON.stringify(baseUrl)}`]),
      ...(keyName === undefined ? [] : [`      api_key: \${${keyName}}`]),
    ].join('\n'),
  );
  return [`# ${title}`, 'agents:', ...agents, 'orchestrator:', '  profile: recommended', ''].join(
    '\n',
  );
}
