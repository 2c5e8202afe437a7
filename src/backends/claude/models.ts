// Claude models, as of November 2026. Prices are US dollars per million tokens, standard tier, caches of five minutes.
import type { CatalogModel, ModelPrice } from '../../core/ports/backend-kind';

const priceList = 'Anthropic pricing and model pages, November 2026';
const priceListAndTable = 'Anthropic pricing page and a table that cites it, October 2026';
const sdkList = 'model names of Anthropic SDK 1.14, November 2026';

function price(
  inputUsd: number,
  cachedInputUsd: number,
  cacheWriteUsd: number | undefined,
  outputUsd: number,
): ModelPrice {
  const write = cacheWriteUsd === undefined ? {} : { cacheWriteUsd };
  return { inputUsd, cachedInputUsd, ...write, outputUsd };
}

const large = { contextWindowTokens: 1_000_000, maxOutputTokens: 128_000 } as const;

/** Newest first. */
export const claudeModels: readonly CatalogModel[] = [
  { id: 'claude-fable-5-2', family: 'claude', source: sdkList },
  { id: 'claude-mythos-5-2', family: 'claude', source: sdkList },
  {
    ...{ id: 'claude-haiku-5-5', family: 'claude', ...large, source: priceListAndTable },
    price: {
      ...price(0.1, 0.01, undefined, 0.5),
      above: { inputTokens: 100_000, price: price(0.5, 0.05, undefined, 2.5) },
    },
  },
  {
    ...{ id: 'claude-sonnet-5-5', family: 'claude', ...large, source: priceListAndTable },
    price: price(2, 0.1, 2.5, 10),
  },
  {
    ...{ id: 'claude-fable-5-1', family: 'claude', ...large, source: priceList },
    price: price(10, 0.25, 12.5, 50),
  },
  {
    ...{ id: 'claude-opus-5-5', family: 'claude', ...large, source: priceListAndTable },
    price: price(4, 0.2, 5, 20),
  },
  { id: 'claude-mythos-5-1', family: 'claude', source: sdkList },
  {
    ...{ id: 'claude-sonnet-5', family: 'claude', ...large, source: priceList },
    price: price(2, 0.2, 2.5, 10),
  },
  {
    ...{ id: 'claude-fable-5', family: 'claude', ...large, source: priceList },
    price: price(10, 1, 12.5, 50),
  },
  { id: 'claude-mythos-5', family: 'claude', source: sdkList },
  {
    ...{ id: 'claude-opus-5', family: 'claude', ...large, source: priceList },
    price: price(5, 0.5, 6.25, 25),
  },
  {
    ...{ id: 'claude-opus-4-8', family: 'claude', ...large, source: priceList },
    price: price(5, 0.5, 6.25, 25),
  },
  {
    ...{ id: 'claude-opus-4-7', family: 'claude', ...large, source: priceList },
    price: price(5, 0.5, 6.25, 25),
  },
  {
    ...{ id: 'claude-opus-4-6', family: 'claude', ...large, source: priceList },
    price: price(5, 0.5, 6.25, 25),
  },
  {
    ...{ id: 'claude-sonnet-4-6', family: 'claude', source: priceList },
    ...{ contextWindowTokens: 1_000_000, maxOutputTokens: 64_000 },
    price: price(3, 0.3, 3.75, 15),
  },
  {
    ...{ id: 'claude-opus-4-5', family: 'claude', source: priceList },
    ...{ contextWindowTokens: 200_000, maxOutputTokens: 64_000 },
    price: price(5, 0.5, 6.25, 25),
    ...{ retires: '2027-01-22', successor: 'claude-opus-5-5' },
  },
  {
    ...{ id: 'claude-haiku-4-5', family: 'claude', source: priceList },
    ...{ contextWindowTokens: 200_000, maxOutputTokens: 64_000 },
    price: price(1, 0.1, 1.25, 5),
  },
  {
    ...{ id: 'claude-sonnet-4-5', family: 'claude', source: priceList },
    ...{ contextWindowTokens: 200_000, maxOutputTokens: 64_000 },
    price: price(3, 0.3, 3.75, 15),
    ...{ retires: '2026-11-30', successor: 'claude-sonnet-5-5' },
  },
  {
    ...{ id: 'claude-opus-4-1', family: 'claude', source: priceList },
    ...{ contextWindowTokens: 200_000, maxOutputTokens: 32_000 },
    price: price(15, 1.5, 18.75, 75),
  },
];

/** Balanced in price and ability, and without a known end. */
export const defaultClaudeModel = 'claude-sonnet-5-5';
