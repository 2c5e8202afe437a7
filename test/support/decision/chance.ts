// Chance that is the same in every run, and how far a frequency may be from what it estimates.

/** Numbers from 0 to 1, from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Quantile of the normal distribution for a two-sided interval of 99.9 %. */
const z = 3.290526731491926;

/** Wilson interval of 99.9 % around the share of successes. */
export function wilson(successes: number, trials: number): readonly [low: number, high: number] {
  const share = successes / trials;
  const z2 = (z * z) / trials;
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (z / (1 + z2)) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials));
  return [middle - half, middle + half];
}

/** An index drawn by weight. */
export function draw(weights: readonly number[], chance: number): number {
  let left = chance;
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) {
      return index;
    }
  }
  return weights.length - 1;
}
