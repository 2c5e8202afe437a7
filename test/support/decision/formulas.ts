// Closed forms of voting theory, each in its textbook shape; the decision functions are compared with them.

function choose(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) {
    value = (value * (n - k + i)) / i;
  }
  return value;
}

/** P(k of n) when each is right with probability p. */
export function binomial(n: number, k: number, p: number): number {
  return choose(n, k) * p ** k * (1 - p) ** (n - k);
}

/** A majority of n voters, n odd, is right. */
export function condorcet(n: number, p: number): number {
  let sum = 0;
  for (let k = (n + 1) / 2; k <= n; k++) {
    sum += binomial(n, k, p);
  }
  return sum;
}

/** Majority of independent voters of different quality, by adding one voter after the other. */
export function poissonBinomialMajority(qualities: readonly number[]): number {
  let counts = [1];
  for (const p of qualities) {
    const next = Array.from({ length: counts.length + 1 }, () => 0);
    counts.forEach((mass, k) => {
      next[k] = (next[k] ?? 0) + mass * (1 - p);
      next[k + 1] = (next[k + 1] ?? 0) + mass * p;
    });
    counts = next;
  }
  return counts.slice((qualities.length + 1) / 2).reduce((sum, mass) => sum + mass, 0);
}

/** P(k of n) when the voters share a quality that is drawn from Beta with mean p and pairwise correlation rho. */
export function betaBinomial(n: number, k: number, p: number, rho: number): number {
  const a = p * (1 / rho - 1);
  const b = (1 - p) * (1 / rho - 1);
  const rising = (x: number, count: number): number =>
    Array.from({ length: count }, (_unused, i) => x + i).reduce((product, y) => product * y, 1);
  return (choose(n, k) * rising(a, k) * rising(b, n - k)) / rising(a + b, n);
}

/** Best of n with checks that pass right answers with s and wrong ones with f. */
export function bestOfVerified(n: number, p: number, s: number, f: number): number {
  const a = p * s;
  const b = (1 - p) * f;
  const c = 1 - a - b;
  const passed = a + b === 0 ? 0 : ((1 - c ** n) * a) / (a + b);
  return passed + (c === 0 ? 0 : (c ** n * p * (1 - s)) / c);
}

/** Asking until one side leads by k: how often the better side wins, and with how many votes on average. */
export function leadStop(k: number, p: number): { readonly right: number; readonly votes: number } {
  const q = 1 - p;
  const total = p ** k + q ** k;
  return { right: p ** k / total, votes: ((k / (p - q)) * (p ** k - q ** k)) / total };
}

/** The lead at which a sequential test of p against 1 − p with error alpha stops. */
export function sprtLead(alpha: number, p: number): number {
  return Math.ceil(Math.log((1 - alpha) / alpha) / Math.log(p / (1 - p)));
}

/** Majorities over easy and hard tasks. */
export function mixture(k: number, alpha: number, easy: number, hard: number): number {
  return alpha * condorcet(k, easy) + (1 - alpha) * condorcet(k, hard);
}
