// List prices and context windows of well-known models, as of November 2026: US dollars per million tokens, standard tier,
// prompts of ordinary length. A price holds only at the maker's own service.
import type { ModelPrice } from '../../core/ports/backend-kind';
import type { Endpoint } from './endpoint';
import { bareModelName } from './families';

export interface KnownModel {
  readonly contextWindowTokens: number | undefined;
  readonly price: ModelPrice;
}

/** Context windows in thousands of tokens. */
type Row = readonly [
  hostEnd: string,
  model: string,
  contextK: number | undefined,
  inputUsd: number,
  cachedInputUsd: number,
  outputUsd: number,
];

const rows: readonly Row[] = [
  ['openai.com', 'gpt-6.2-astra', 1050, 8, 0.4, 40],
  ['openai.com', 'gpt-6.2-sol', 1050, 2, 0.1, 10],
  ['openai.com', 'gpt-6.1-sol', 1050, 2, 0.1, 10],
  ['openai.com', 'gpt-6-astra', 1050, 10, 1, 50],
  ['openai.com', 'gpt-6-sol', 1050, 2, 0.2, 10],
  ['openai.com', 'gpt-5.6-terra', undefined, 2, 0.2, 12],
  ['openai.com', 'gpt-5.6-luna', undefined, 0.2, 0.02, 1.2],
  ['openai.com', 'gpt-5.5', 1050, 5, 0.5, 30],
  ['openai.com', 'gpt-5.4', 1050, 2.5, 0.25, 15],
  ['openai.com', 'gpt-5.4-mini', 400, 0.75, 0.075, 4.5],
  ['openai.com', 'gpt-5.4-nano', 400, 0.2, 0.02, 1.25],
  ['openai.com', 'gpt-5.3-codex', 400, 1.75, 0.175, 14],
  ['openai.com', 'gpt-5.2', 400, 1.75, 0.175, 14],
  ['openai.com', 'gpt-5.1', 400, 1.25, 0.125, 10],
  ['openai.com', 'gpt-5', 400, 1.25, 0.125, 10],
  ['openai.com', 'gpt-5-mini', 400, 0.25, 0.025, 2],
  ['openai.com', 'gpt-5-nano', 400, 0.05, 0.005, 0.4],
  ['openai.com', 'gpt-4.1', 1050, 2, 0.5, 8],
  ['openai.com', 'gpt-4.1-mini', 1050, 0.4, 0.1, 1.6],
  ['openai.com', 'gpt-4.1-nano', 1050, 0.1, 0.025, 0.4],
  ['openai.com', 'gpt-4o', 128, 2.5, 1.25, 10],
  ['openai.com', 'gpt-4o-mini', 128, 0.15, 0.075, 0.6],
  ['openai.com', 'o3', 200, 2, 0.5, 8],
  ['openai.com', 'o4-mini', 200, 1.1, 0.275, 4.4],
  ['x.ai', 'grok-4.6', 500, 2, 0.5, 6],
  ['x.ai', 'grok-4.5', 500, 2, 0.5, 6],
  ['x.ai', 'grok-4.3', 1000, 1.25, 0.2, 2.5],
  ['deepseek.com', 'deepseek-v4-pro', 1000, 0.435, 0.0036, 0.87],
  ['deepseek.com', 'deepseek-v4-flash', 1000, 0.14, 0.0028, 0.28],
  ['moonshot.ai', 'kimi-k2.6', 262, 0.95, 0.16, 4],
  ['moonshot.ai', 'kimi-k2.7-code', 262, 0.95, 0.19, 4],
  ['z.ai', 'glm-5.2', undefined, 1.4, 0.26, 4.4],
  ['z.ai', 'glm-5', undefined, 1, 0.2, 3.2],
  ['z.ai', 'glm-4.7', 205, 0.6, 0.11, 2.2],
];

/** Usual ports of servers that run a model on this machine: Ollama and LM Studio. */
const localModelPorts: readonly string[] = ['11434', '1234'];

const free: ModelPrice = { inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 };

/** `undefined` when the price is not known, which is also so for a known model at somebody else's service. */
export function priceAt(endpoint: Endpoint, model: string): ModelPrice | undefined {
  const { hostname, port } = new URL(endpoint.origin);
  if (endpoint.isLoopback) {
    // Other loopback servers may be gateways to a paid service, and so are the cloud models of Ollama.
    const isLocalModel = localModelPorts.includes(port) && !/[:-]cloud$/.test(model);
    return isLocalModel ? free : undefined;
  }
  const row = rowOf(model);
  const isMakers = row !== undefined && (hostname === row[0] || hostname.endsWith(`.${row[0]}`));
  return isMakers ? toKnown(row).price : undefined;
}

export function knownModel(model: string): KnownModel | undefined {
  const row = rowOf(model);
  return row === undefined ? undefined : toKnown(row);
}

function rowOf(model: string): Row | undefined {
  // A dated name is the same model: `gpt-5.4-2026-03-05`.
  const name = bareModelName(model).replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return rows.find((row) => row[1] === name);
}

function toKnown(row: Row): KnownModel {
  const [, , contextK, inputUsd, cachedInputUsd, outputUsd] = row;
  return {
    contextWindowTokens: contextK === undefined ? undefined : contextK * 1000,
    price: { inputUsd, cachedInputUsd, outputUsd },
  };
}
