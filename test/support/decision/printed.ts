import { expect } from 'vitest';

/** A value equals what is printed to the digits that are printed. */
export function expectPrinted(value: number, printed: string): void {
  const digits = printed.split('.')[1]?.length ?? 0;
  expect(Math.abs(value - Number(printed)), `${value} should print as ${printed}`).toBeLessThan(
    0.5 * 10 ** -digits + 1e-12,
  );
}

/** Two ways to one value. */
export function expectExact(value: number, other: number): void {
  expect(Math.abs(value - other), `${value} should equal ${other}`).toBeLessThan(1e-12);
}
