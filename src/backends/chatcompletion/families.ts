/** Model lines by the words their names begin with or contain. The first match counts. */
const families: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/^gpt-oss/, 'gpt-oss'],
  [/^(gpt|chatgpt|o\d|codex)\b/, 'gpt'],
  [/^claude/, 'claude'],
  [/^gemini/, 'gemini'],
  [/^gemma/, 'gemma'],
  [/^grok/, 'grok'],
  [/^deepseek/, 'deepseek'],
  [/^(qwen|qwq)/, 'qwen'],
  [/^(kimi|moonshot)/, 'kimi'],
  [/^glm/, 'glm'],
  [/^(mistral|mixtral|codestral|devstral|ministral|magistral)/, 'mistral'],
  [/^(meta-)?llama/, 'llama'],
  [/^phi/, 'phi'],
  [/^command/, 'command'],
  [/^minimax/, 'minimax'],
];

/** The line a model belongs to, e.g. `gpt`; `''` when the name does not tell. */
export function familyOfModel(model: string): string {
  const name = bareModelName(model);
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? '';
}

/** The name without the maker in front of it (`openai/gpt-5`, `accounts/x/models/y`), in lower case. */
export function bareModelName(model: string): string {
  return (model.split('/').at(-1) ?? model).trim().toLowerCase();
}
