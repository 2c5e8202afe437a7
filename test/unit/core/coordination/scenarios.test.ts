import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScenarios } from '../../../support/scenarios/notation';
import type { Entry } from '../../../support/scenarios/notation';
import { differences, playScenario } from '../../../support/scenarios/run-scenarios';

const fixtures = resolve(import.meta.dirname, '../../../fixtures');
const entries = readScenarios(readFileSync(resolve(fixtures, 'scenarios.txt'), 'utf8'));
const idOf = (entry: Entry): string => (entry.kind === 'scenario' ? entry.scenario.id : entry.id);

describe('coordination scenarios', () => {
  it('are all there', () => {
    expect(new Set(entries.map(idOf)).size).toBe(83);
  });

  for (const entry of entries) {
    const title = entry.kind === 'scenario' ? entry.scenario.title : 'can be read';
    it(`${idOf(entry)} ${title}`, () => {
      if (entry.kind === 'unreadable') {
        expect.fail(entry.problem);
      }
      expect(differences(entry.scenario.expected, playScenario(entry.scenario))).toEqual([]);
    });
  }
});
