import type { ModelPrice } from '../core/ports/backend-kind';
import type { Usage } from '../run/facts';

/**
 * US dollars of one call; `null` when the price or the tokens are not known. A model that costs nothing costs nothing without
 * tokens too.
 */
export function costOfUsage(price: ModelPrice | undefined, usage: Usage): number | null {
  if (price === undefined) {
    return null;
  }
  if (isFree(price)) {
    return 0;
  }
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) {
    return null;
  }
  const {
    inputUsd,
    cachedInputUsd,
    outputUsd,
    cacheWriteUsd = inputUsd,
  } = tierOf(price, usage.largestInputTokens ?? inputTokens);
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, inputTokens - cached);
  const sum =
    (inputTokens - cached - written) * inputUsd +
    cached * cachedInputUsd +
    written * cacheWriteUsd +
    outputTokens * outputUsd;
  return sum / 1_000_000;
}

/** The prices of a request with so much input. */
export function tierOf(price: ModelPrice, inputTokens: number): ModelPrice {
  const { above } = price;
  return above !== undefined && inputTokens > above.inputTokens
    ? tierOf(above.price, inputTokens)
    : price;
}

function isFree({ inputUsd, outputUsd }: ModelPrice): boolean {
  return inputUsd === 0 && outputUsd === 0;
}
