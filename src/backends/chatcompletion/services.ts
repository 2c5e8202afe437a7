// Every service that speaks chat completions and has a type of its own. Addresses and variables: models.dev (July 2026) and
// the documentation of each service, read in November 2026.
import type { CatalogModel } from '../../core/ports/backend-kind';
import {
  type EffortWords,
  asEnableThinking,
  asReasoning,
  asReasoningEffort,
  asReasoningSwitch,
  asThinkingAndEffort,
  asThinkingSwitch,
  notSaid,
} from './effort';
import { deepseekModels, mistralModels, moonshotModels, qwenModels, zaiModels } from './models';

/** What earlier thinking is called when it goes back; `if-taken`: as it came, until the service refuses it. */
export type ThinkingBack = 'reasoning_content' | 'reasoning_details' | 'if-taken' | 'never';

export interface Quirks {
  readonly thinkingBack: ThinkingBack;
  readonly effort: EffortWords;
  /** Ids of calls must be nine letters and digits. */
  readonly hasShortCallIds?: true;
  /** A message of the user, such as one with a picture, cannot follow the results of tools. */
  readonly refusesUserAfterTool?: true;
  /** `usage.cost` is what the call has cost, US dollars. */
  readonly tellsCost?: true;
  /** Takes sampling parameters and templates of open models: `top_k`, `min_p`, `repetition_penalty`. */
  readonly takesOpenSampling?: true;
  /** Holds no streamed answer to a schema, so that the form of an answer is asked for in words alone. */
  readonly hasNoOutputSchema?: true;
}

export interface ChatService {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** `undefined`: a block must name one. */
  readonly baseUrl: string | undefined;
  /** Ends of the names of its hosts: only there its usual key is sent and its prices hold. */
  readonly hostEnds: readonly string[];
  /** Variables of the key, the first that is set counts. */
  readonly keyNames: readonly string[];
  /** Runs on the user's own machine as a rule: no key is asked for there, and nothing is paid. */
  readonly isLocal?: true;
  readonly defaultModel?: string;
  readonly models?: readonly CatalogModel[];
  readonly quirks: Quirks;
}

const usual: Quirks = { thinkingBack: 'if-taken', effort: asReasoningEffort };
const openServer: Quirks = { ...usual, takesOpenSampling: true };

const hosted: readonly ChatService[] = [
  {
    ...{ type: 'cerebras', title: 'Cerebras', baseUrl: 'https://api.cerebras.ai/v1' },
    ...{ hostEnds: ['cerebras.ai'], keyNames: ['CEREBRAS_API_KEY'] },
    defaultModel: 'gpt-oss-120b',
    // Members of messages that it does not know are refused.
    quirks: { ...usual, thinkingBack: 'never' },
  },
  {
    ...{ type: 'together', title: 'Together AI', baseUrl: 'https://api.together.xyz/v1' },
    ...{ hostEnds: ['together.xyz', 'together.ai'], keyNames: ['TOGETHER_API_KEY'] },
    defaultModel: 'openai/gpt-oss-120b',
    quirks: { ...openServer, effort: asReasoningSwitch },
  },
  {
    ...{
      type: 'fireworks',
      title: 'Fireworks AI',
      baseUrl: 'https://api.fireworks.ai/inference/v1',
    },
    ...{ hostEnds: ['fireworks.ai'], keyNames: ['FIREWORKS_API_KEY'] },
    defaultModel: 'accounts/fireworks/models/gpt-oss-120b',
    quirks: openServer,
  },
  {
    ...{ type: 'groq', title: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
    ...{ hostEnds: ['groq.com'], keyNames: ['GROQ_API_KEY'] },
    defaultModel: 'openai/gpt-oss-120b',
    quirks: { ...usual, thinkingBack: 'never', hasNoOutputSchema: true },
  },
  {
    ...{ type: 'openrouter', title: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
    ...{ hostEnds: ['openrouter.ai'], keyNames: ['OPENROUTER_API_KEY'] },
    quirks: {
      ...{ thinkingBack: 'reasoning_details', effort: asReasoning },
      ...{ tellsCost: true, takesOpenSampling: true },
    },
  },
  {
    ...{ type: 'moonshot', aliases: ['kimi'], title: 'Moonshot AI (Kimi)' },
    baseUrl: 'https://api.moonshot.ai/v1',
    hostEnds: ['moonshot.ai', 'moonshot.cn'],
    keyNames: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
    ...{ defaultModel: 'kimi-k2.6', models: moonshotModels },
    quirks: { thinkingBack: 'reasoning_content', effort: asThinkingSwitch },
  },
  {
    ...{ type: 'nebius', title: 'Nebius', baseUrl: 'https://api.tokenfactory.nebius.com/v1' },
    ...{ hostEnds: ['nebius.com', 'nebius.ai'], keyNames: ['NEBIUS_API_KEY'] },
    defaultModel: 'openai/gpt-oss-120b',
    quirks: openServer,
  },
  {
    ...{ type: 'poe', title: 'Poe', baseUrl: 'https://api.poe.com/v1' },
    ...{ hostEnds: ['poe.com'], keyNames: ['POE_API_KEY'] },
    quirks: usual,
  },
  {
    ...{ type: 'qwen', aliases: ['dashscope'], title: 'Alibaba Cloud Model Studio (Qwen)' },
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    hostEnds: ['aliyuncs.com'],
    keyNames: ['QWEN_API_KEY', 'DASHSCOPE_API_KEY'],
    ...{ defaultModel: 'qwen3.7-plus', models: qwenModels },
    quirks: { ...usual, effort: asEnableThinking },
  },
  {
    ...{ type: 'zai', aliases: ['zhipu'], title: 'Z.AI', baseUrl: 'https://api.z.ai/api/paas/v4' },
    hostEnds: ['z.ai', 'bigmodel.cn'],
    keyNames: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
    ...{ defaultModel: 'glm-5.2', models: zaiModels },
    quirks: { ...usual, effort: asThinkingSwitch, hasNoOutputSchema: true },
  },
  {
    ...{ type: 'nvidia', aliases: ['nvidia_nim', 'nim'], title: 'NVIDIA NIM' },
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    ...{ hostEnds: ['nvidia.com'], keyNames: ['NVIDIA_API_KEY', 'NGC_API_KEY'] },
    quirks: openServer,
  },
  {
    ...{ type: 'deepseek', title: 'DeepSeek', baseUrl: 'https://api.deepseek.com' },
    ...{ hostEnds: ['deepseek.com'], keyNames: ['DEEPSEEK_API_KEY'] },
    ...{ defaultModel: 'deepseek-v4-pro', models: deepseekModels },
    quirks: {
      ...{ thinkingBack: 'reasoning_content', effort: asThinkingAndEffort },
      hasNoOutputSchema: true,
    },
  },
  {
    ...{ type: 'mistral', title: 'Mistral AI', baseUrl: 'https://api.mistral.ai/v1' },
    ...{ hostEnds: ['mistral.ai'], keyNames: ['MISTRAL_API_KEY'] },
    ...{ defaultModel: 'mistral-large-2512', models: mistralModels },
    quirks: {
      ...{ thinkingBack: 'never', effort: asReasoningEffort },
      ...{ hasShortCallIds: true, refusesUserAfterTool: true },
    },
  },
];

const local: readonly ChatService[] = [
  {
    ...{ type: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', isLocal: true },
    ...{ hostEnds: ['ollama.com'], keyNames: ['OLLAMA_API_KEY'] },
    quirks: usual,
  },
  {
    ...{ type: 'lmstudio', title: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', isLocal: true },
    ...{ hostEnds: [], keyNames: ['LMSTUDIO_API_KEY'] },
    quirks: { ...openServer, effort: notSaid },
  },
  {
    ...{ type: 'vllm', title: 'vLLM server', baseUrl: 'http://127.0.0.1:8000/v1', isLocal: true },
    ...{ hostEnds: [], keyNames: ['VLLM_API_KEY'] },
    quirks: openServer,
  },
  {
    ...{ type: 'sglang', title: 'SGLang server', baseUrl: 'http://127.0.0.1:30000/v1' },
    ...{ hostEnds: [], keyNames: ['SGLANG_API_KEY'], isLocal: true },
    quirks: openServer,
  },
  {
    ...{ type: 'inference', title: 'Inference server', baseUrl: undefined, isLocal: true },
    ...{ hostEnds: [], keyNames: [] },
    quirks: openServer,
  },
];

/** Any address; a known host brings its key and its quirks along. */
export const anyService: ChatService = {
  type: 'chatcompletion',
  title: 'OpenAI-compatible service',
  baseUrl: 'https://api.openai.com/v1',
  hostEnds: ['openai.com'],
  keyNames: ['OPENAI_API_KEY'],
  quirks: openServer,
};

export const chatServices: readonly ChatService[] = [anyService, ...hosted, ...local];

/** Hosts of other protocols that answer chat completions as well, with the variable of their key. */
const otherHosts: readonly (readonly [hostEnd: string, keyName: string])[] = [
  ['openai.azure.com', 'AZURE_OPENAI_API_KEY'],
  ['x.ai', 'XAI_API_KEY'],
  ['anthropic.com', 'ANTHROPIC_API_KEY'],
  ['generativelanguage.googleapis.com', 'GEMINI_API_KEY'],
];

export function isHostOf(hostname: string, hostEnds: readonly string[]): boolean {
  return hostEnds.some((end) => hostname === end || hostname.endsWith(`.${end}`));
}

/** The service that a host belongs to; `undefined` for one that is not known. */
export function serviceAt(hostname: string): ChatService | undefined {
  return chatServices.find(({ hostEnds }) => isHostOf(hostname, hostEnds));
}

/** Variables that usually hold the key for this host; a usual key goes nowhere else. */
export function keyNamesAt(hostname: string): readonly string[] {
  const other = otherHosts.find(([end]) => isHostOf(hostname, [end]));
  return other === undefined ? (serviceAt(hostname)?.keyNames ?? []) : [other[1]];
}
