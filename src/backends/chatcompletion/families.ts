import { bareModelName } from '../catalog/lookup';

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
  [/^(mistral|mixtral|codestral|devstral|ministral|magistral|pixtral)/, 'mistral'],
  [/^(meta-)?llama/, 'llama'],
  [/^(phi|nemotron|command|minimax)/, ''],
];

/** The line a model belongs to, e.g. `gpt`; `''` when the name does not tell. */
export function familyOfModel(model: string): string {
  const name = bareModelName(model);
  const found = families.find(([pattern]) => pattern.test(name));
  return found === undefined ? '' : found[1] || (/^[a-z]+/.exec(name)?.[0] ?? '');
}

/** Lines whose models see pictures, as of November 2026; of other models the name must say it. */
const seeing: readonly RegExp[] = [
  /^(gpt-4o|gpt-4\.1|gpt-[5-9]|chatgpt|o3$|o3-\d|o4)/,
  /^(claude|gemini|gemma-?[3-9]|grok-[4-9]|llama-?4|kimi-k2\.[5-9]|kimi-k[3-9])/,
  /^(mistral-(large|medium|small)|ministral|pixtral)/,
  /(^|[-_.:])(vl|vision|llava|omni|multimodal)\d*([-_.:]|$)|^glm-[\d.]+v/,
];

/** Whether a model is known to take pictures. */
export function seesPictures(model: string): boolean {
  const name = bareModelName(model);
  return seeing.some((pattern) => pattern.test(name));
}

/** From gpt-5 on and the o line: they think before they speak. */
export function isOpenAiThinker(model: string): boolean {
  return /^(o\d|gpt-[5-9])/.test(model) && !model.includes('chat');
}

/** From gpt-5.4 on chat completions refuse tools together with thinking. */
export function refusesToolsWithThinking(model: string): boolean {
  const version = /^gpt-(\d+(?:\.\d+)?)/.exec(model)?.[1];
  return Number(version ?? 0) >= 5.4 && isOpenAiThinker(model);
}

/** Models whose thinking cannot be switched off. */
export function alwaysThinks(model: string): boolean {
  return model.includes('astra');
}
