import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutants as table, withFault as put } from '../../../scripts/mutants-table.mjs';

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
const mutants = table as readonly Mutant[];
const withFault = put as (text: string, mutant: Mutant) => string;
const folder = resolve(import.meta.dirname, '../../../src/run/decision');

describe('the planted faults of deciding', () => {
  it('are many, and each has a name of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(25);
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });

  it.each(mutants)('$name: has its one place in $file', (mutant) => {
    const text = readFileSync(resolve(folder, mutant.file), 'utf8');
    expect(withFault(text, mutant)).not.toBe(text);
  });

  it('are refused where their place is not there, or not the only one', () => {
    const mutant = { name: 'x', file: '', find: 'a', replace: 'b' };
    expect(() => withFault('cc', mutant)).toThrow('0 times');
    expect(() => withFault('a a', mutant)).toThrow('2 times');
    expect(withFault('c a', mutant)).toBe('c b');
  });
});
