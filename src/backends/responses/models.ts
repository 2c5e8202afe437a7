// Models of the services behind this protocol, as of November 2026: US dollars per million tokens, standard tier.
import type { CatalogModel, ModelPrice } from '../../core/ports/backend-kind';

type Sums = readonly [inputUsd: number, cachedInputUsd: number, outputUsd: number];

interface Row {
  readonly id: string;
  /** Thousands of tokens. */
  readonly contextK?: number;
  readonly outputK?: number;
  /** Absent: not known. */
  readonly price?: Sums;
  readonly cacheWriteUsd?: number;
  /** Prices of requests with more input than the service's limit. */
  readonly long?: Sums;
  readonly longCacheWriteUsd?: number;
  readonly source: string;
}

const namedOnly = 'names in the openai package 7.59, November 2026';
const modelsDev = 'models.dev, July 2026';
const releaseNotes = 'release notes of token meters, September 2026';
const resellers = 'reseller pages, November 2026; to be checked';

/** OpenAI charges more for requests with more input tokens than this. */
const openAiLongInput = 272_000;

const openAiRows: readonly Row[] = [
  {
    ...{ id: 'gpt-6.2-astra', contextK: 1050, outputK: 128, source: resellers },
    ...{ price: [8, 0.4, 40], cacheWriteUsd: 10, long: [16, 0.8, 60], longCacheWriteUsd: 20 },
  },
  {
    ...{ id: 'gpt-6.2-sol', contextK: 1050, outputK: 128, source: resellers },
    ...{ price: [2, 0.1, 10], cacheWriteUsd: 2.5, long: [4, 0.2, 15], longCacheWriteUsd: 5 },
  },
  {
    ...{ id: 'gpt-6.1-sol', contextK: 1050, source: releaseNotes },
    ...{ price: [2, 0.1, 10], long: [4, 0.2, 15] },
  },
  { id: 'gpt-6.1-terra', source: namedOnly },
  {
    ...{ id: 'gpt-6-astra', contextK: 1050, source: releaseNotes },
    ...{ price: [10, 1, 50], cacheWriteUsd: 12.5 },
  },
  { id: 'gpt-6-sol', contextK: 1050, price: [2, 0.2, 10], source: releaseNotes },
  { id: 'gpt-6-luna', source: namedOnly },
  { id: 'gpt-5.6-sol', source: namedOnly },
  { id: 'gpt-5.6-terra', price: [2, 0.2, 12], source: releaseNotes },
  { id: 'gpt-5.6-luna', price: [0.2, 0.02, 1.2], source: releaseNotes },
  {
    ...{ id: 'gpt-5.5', contextK: 1050, outputK: 128, source: modelsDev },
    ...{ price: [5, 0.5, 30], long: [10, 1, 45] },
  },
  { id: 'gpt-5.4', contextK: 1050, outputK: 128, price: [2.5, 0.25, 15], source: modelsDev },
  { id: 'gpt-5.4-mini', contextK: 400, outputK: 128, price: [0.75, 0.075, 4.5], source: modelsDev },
  { id: 'gpt-5.4-nano', contextK: 400, outputK: 128, price: [0.2, 0.02, 1.25], source: modelsDev },
  { id: 'gpt-5.3-codex', contextK: 400, outputK: 128, price: [1.75, 0.175, 14], source: modelsDev },
  { id: 'gpt-5.3-chat-latest', source: namedOnly },
  { id: 'gpt-5.2-pro', source: namedOnly },
  { id: 'gpt-5.2', contextK: 400, outputK: 128, price: [1.75, 0.175, 14], source: modelsDev },
  { id: 'gpt-5.1-codex', source: namedOnly },
  { id: 'gpt-5.1', contextK: 400, outputK: 128, price: [1.25, 0.125, 10], source: modelsDev },
  { id: 'gpt-5', contextK: 400, outputK: 128, price: [1.25, 0.125, 10], source: modelsDev },
  { id: 'gpt-5-mini', contextK: 400, outputK: 128, price: [0.25, 0.025, 2], source: modelsDev },
  { id: 'gpt-5-nano', contextK: 400, outputK: 128, price: [0.05, 0.005, 0.4], source: modelsDev },
  { id: 'gpt-4.1', contextK: 1050, outputK: 32, price: [2, 0.5, 8], source: modelsDev },
  { id: 'gpt-4.1-mini', contextK: 1050, outputK: 32, price: [0.4, 0.1, 1.6], source: modelsDev },
  { id: 'gpt-4.1-nano', contextK: 1050, outputK: 32, price: [0.1, 0.025, 0.4], source: modelsDev },
  { id: 'gpt-4o', contextK: 128, outputK: 16, price: [2.5, 1.25, 10], source: modelsDev },
  { id: 'gpt-4o-mini', contextK: 128, outputK: 16, price: [0.15, 0.075, 0.6], source: modelsDev },
  { id: 'o3', contextK: 200, outputK: 100, price: [2, 0.5, 8], source: modelsDev },
  { id: 'o4-mini', contextK: 200, outputK: 100, price: [1.1, 0.275, 4.4], source: modelsDev },
];

const grokSource = 'reseller pages, August 2026; to be checked';

export const openAiModels: readonly CatalogModel[] = openAiRows.map((row) =>
  toModel(row, 'gpt', openAiLongInput),
);

export const grokModels: readonly CatalogModel[] = [
  toModel(
    { id: 'grok-4.6', contextK: 500, price: [2, 0.5, 6], long: [4, 0.5, 12], source: grokSource },
    'grok',
    204_800,
  ),
  toModel(
    { id: 'grok-4.5', contextK: 500, price: [2, 0.5, 6], long: [4, 0.5, 12], source: grokSource },
    'grok',
    204_800,
  ),
  toModel(
    {
      ...{ id: 'grok-4.3', contextK: 1000, outputK: 30, source: modelsDev },
      ...{ price: [1.25, 0.2, 2.5], long: [2.5, 0.4, 5] },
    },
    'grok',
    200_000,
  ),
];

function toModel(row: Row, family: string, longInput: number): CatalogModel {
  const { contextK, outputK } = row;
  const price = priceOf(row, longInput);
  return {
    ...{ id: row.id, family, source: row.source },
    ...(contextK === undefined ? {} : { contextWindowTokens: contextK * 1000 }),
    ...(outputK === undefined ? {} : { maxOutputTokens: outputK * 1000 }),
    ...(price === undefined ? {} : { price }),
  };
}

function priceOf(row: Row, longInput: number): ModelPrice | undefined {
  const { price, long } = row;
  if (price === undefined) {
    return undefined;
  }
  const above =
    long === undefined
      ? {}
      : { above: { inputTokens: longInput, price: toPrice(long, row.longCacheWriteUsd) } };
  return { ...toPrice(price, row.cacheWriteUsd), ...above };
}

function toPrice([inputUsd, cachedInputUsd, outputUsd]: Sums, cacheWriteUsd?: number): ModelPrice {
  return {
    ...{ inputUsd, cachedInputUsd, outputUsd },
    ...(cacheWriteUsd === undefined ? {} : { cacheWriteUsd }),
  };
}
