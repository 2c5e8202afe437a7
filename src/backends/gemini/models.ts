// Models of the Gemini API with their limits and list prices, as of November 2026: US dollars per million tokens, standard
// tier.
import type { CatalogModel, ModelPrice } from '../../core/ports/backend-kind';
import { findModel } from '../catalog/lookup';

export const defaultModel = 'gemini-3.8-flash';

const family = 'gemini';
const million = 1_048_576;
const out65k = 65_536;

const latestPage = "Google's latest-model page, November 2026";
const meters = 'release notes of token meters, November 2026';
const pricePage = "Google's price page, October 2026";
const openList = 'open model list models.dev, July 2026';

/** The output price holds for thoughts as well. */
function price(inputUsd: number, cachedInputUsd: number, outputUsd: number): ModelPrice {
  return { inputUsd, cachedInputUsd, outputUsd };
}

/** Twice the input and one and a half times the output price for prompts over 200,000 tokens. */
function longPrice(
  inputUsd: number,
  cachedInputUsd: number,
  outputUsd: number,
): Required<Pick<CatalogModel, 'price'>> {
  const above = price(2 * inputUsd, 2 * cachedInputUsd, 1.5 * outputUsd);
  return {
    price: {
      ...price(inputUsd, cachedInputUsd, outputUsd),
      above: { inputTokens: 200_000, price: above },
    },
  };
}

const usual = { family, contextWindowTokens: million, maxOutputTokens: out65k } as const;

/** Newest first. */
export const geminiModels: readonly CatalogModel[] = [
  {
    ...{ ...usual, id: 'gemini-4-argon', maxOutputTokens: 64_000, source: latestPage },
    ...{ price: price(2, 0.1, 10), priceUntil: '2026-12-01' },
  },
  { ...usual, id: 'gemini-4-neon', price: price(3, 0.15, 15), source: meters },
  { ...usual, id: 'gemini-4-hydrogen', price: price(1.5, 0.075, 7.5), source: meters },
  {
    ...{ ...usual, id: 'gemini-3.8-flash', source: pricePage },
    ...{ price: price(0.75, 0.075, 3.75), priceUntil: '2027-01-01' },
  },
  { ...usual, id: 'gemini-3.5-flash', price: price(1.5, 0.15, 9), source: openList },
  { ...usual, id: 'gemini-3.5-flash-lite', price: price(0.3, 0.03, 2.5), source: openList },
  { ...usual, id: 'gemini-3.1-pro-preview', ...longPrice(2, 0.2, 12), source: openList },
  { ...usual, id: 'gemini-2.5-pro', ...longPrice(1.25, 0.125, 10), source: openList },
  { ...usual, id: 'gemini-2.5-flash', price: price(0.3, 0.03, 2.5), source: openList },
  { ...usual, id: 'gemini-2.5-flash-lite', price: price(0.1, 0.01, 0.4), source: openList },
];

/** What holds after a price that ends; of models that are not here it is not known whole. */
const laterPrices: Readonly<Record<string, ModelPrice>> = {
  'gemini-4-argon': price(4, 0.2, 20),
};

/** The list price at a moment, Unix ms; `undefined` when it is not known. */
export function priceAt(model: string, now: number): ModelPrice | undefined {
  const found = findModel(geminiModels, model);
  const until = found?.priceUntil;
  return until === undefined || now < Date.parse(until)
    ? found?.price
    : laterPrices[found?.id ?? ''];
}
