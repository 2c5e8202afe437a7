// Where a chat-completions block sends its requests, and which key such a place expects.
import type { BackendSettings } from '../../core/ports/backend-kind';
import { MassGenError } from '../../core/errors';

export interface Endpoint {
  /** Without a slash at the end; the client adds `/chat/completions`. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Host with port when the port is not the scheme's own. */
  readonly host: string;
  readonly isLoopback: boolean;
  /** OpenAI's own service, which knows parameters that compatible servers do not. */
  readonly isOpenAi: boolean;
}

const openAiBaseUrl = 'https://api.openai.com/v1';

/** Services by the end of their host name, with the variable that usually holds their key. */
const keyNames: readonly (readonly [hostEnd: string, keyName: string])[] = [
  ['openai.com', 'OPENAI_API_KEY'],
  ['openai.azure.com', 'AZURE_OPENAI_API_KEY'],
  ['cerebras.ai', 'CEREBRAS_API_KEY'],
  ['together.xyz', 'TOGETHER_API_KEY'],
  ['together.ai', 'TOGETHER_API_KEY'],
  ['fireworks.ai', 'FIREWORKS_API_KEY'],
  ['groq.com', 'GROQ_API_KEY'],
  ['nebius.com', 'NEBIUS_API_KEY'],
  ['openrouter.ai', 'OPENROUTER_API_KEY'],
  ['x.ai', 'XAI_API_KEY'],
  ['deepseek.com', 'DEEPSEEK_API_KEY'],
  ['mistral.ai', 'MISTRAL_API_KEY'],
  ['z.ai', 'ZAI_API_KEY'],
  ['bigmodel.cn', 'ZAI_API_KEY'],
  ['moonshot.ai', 'MOONSHOT_API_KEY'],
  ['moonshot.cn', 'MOONSHOT_API_KEY'],
  ['poe.com', 'POE_API_KEY'],
  ['aliyuncs.com', 'QWEN_API_KEY'],
];

/** Throws `config/invalid` for an address that cannot be used. */
export function endpointOf(settings: BackendSettings): Endpoint {
  const written = settings.options['base_url'];
  const text = typeof written === 'string' ? written.trim() : openAiBaseUrl;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new MassGenError('config/invalid', `base_url is not an http address: ${text}`, {
      hint: 'Write the whole address, for example http://127.0.0.1:11434/v1.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new MassGenError('config/invalid', 'base_url must not contain a user name or password.', {
      hint: 'Name the key with api_key: ${NAME} instead.',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new MassGenError('config/invalid', 'base_url must end with its path, without ? and #.', {
      hint: 'Name a key with api_key: ${NAME}; other parameters of an address are not sent.',
    });
  }
  // People copy the full address of the method from documentation.
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return {
    baseUrl: `${url.origin}${path}`,
    origin: url.origin,
    host: url.host,
    isLoopback: isLoopbackName(url.hostname),
    isOpenAi: url.hostname === 'api.openai.com',
  };
}

/** Like `endpointOf`, but `undefined` for an address that cannot be used. */
export function tryEndpointOf(settings: BackendSettings): Endpoint | undefined {
  try {
    return endpointOf(settings);
  } catch {
    return undefined;
  }
}

/** The variable that holds the key of a known service; `undefined` for loopback and unknown hosts. */
export function usualKeyName(endpoint: Endpoint): string | undefined {
  const hostname = new URL(endpoint.origin).hostname;
  return keyNames.find(([end]) => hostname === end || hostname.endsWith(`.${end}`))?.[1];
}

function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
