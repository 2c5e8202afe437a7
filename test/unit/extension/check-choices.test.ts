import { describe, expect, it } from 'vitest';
import { checkChoices, chosenChecks } from '../../../src/extension/host/check-choices';
import type { CheckSpec } from '../../../src/run/check-facts';

function spec(name: string, command: string): CheckSpec {
  return { name, command, kind: 'test', timeoutMs: 1_000, mode: 'gate' };
}

const found = [
  { spec: spec('test', 'npm test'), source: 'package.json' },
  { spec: spec('lint', 'npm run lint'), source: 'package.json' },
];

describe('the checks that a run would have', () => {
  it('are those of the team alone, always on', () => {
    const choices = checkChoices([spec('types', 'tsc')], found, []);
    expect(choices.map(({ name, source, isOn }) => [name, source, isOn])).toEqual([
      ['types', 'team', true],
    ]);
  });

  it('are those found in the project where the team has none, and off until they are chosen', () => {
    const on = [{ name: 'lint', command: 'npm run lint' }];
    expect(checkChoices([], found, []).map(({ isOn }) => isOn)).toEqual([false, false]);
    expect(checkChoices([], found, on).map(({ isOn }) => isOn)).toEqual([false, true]);
    expect(chosenChecks(found, on).map(({ name }) => name)).toEqual(['lint']);
  });

  it('are off again when another command has taken the name', () => {
    const old = [{ name: 'test', command: 'node old.js' }];
    expect(checkChoices([], found, old).map(({ isOn }) => isOn)).toEqual([false, false]);
    expect(chosenChecks(found, old)).toEqual([]);
  });
});
