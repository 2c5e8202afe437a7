import type { ModelPrice } from '../core/ports/backend-kind';
import type { Usage } from '../run/facts';

/** US dollars of one call; `null` when the price or the tokens are not known. A model that costs nothing costs nothing without tokens too. */
export function costOfUsage(price: ModelPrice | undefined, usage: Usage): number | null {
  if (price === undefined) {
    return null;
  }
  if (price.inputUsd === 0 && price.outputUsd === 0) {
    return 0;
  }
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  if (inputTokens === undefined || outputTokens === undefined) {
    return null;
  }
  const cached = Math.min(cachedInputTokens, inputTokens);
  const sum =
    (inputTokens - cached) * price.inputUsd +
    cached * price.cachedInputUsd +
    outputTokens * price.outputUsd;
  return sum / 1_000_000;
}
