import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RecordedEvent } from '../../src/run/events';
import { migrate } from '../../src/run/migrate';
import { readScenarios, type Scenario } from './scenarios/notation';
import { playScenario } from './scenarios/run-scenarios';

const test = resolve(import.meta.dirname, '..');

/** Every scenario that can be played, by its id. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(
  readScenarios(readFileSync(resolve(test, 'fixtures/scenarios.txt'), 'utf8')).flatMap((entry) =>
    entry.kind === 'scenario' ? [[entry.scenario.id, entry.scenario] as const] : [],
  ),
);

export function scenarioLog(id: string): readonly RecordedEvent[] {
  const scenario = scenarios.get(id);
  if (scenario === undefined) {
    throw new Error(`there is no scenario ${id}`);
  }
  return playScenario(scenario).log;
}

/** The kept logs of whole runs, by the name of their folder. */
export const goldenLogs: ReadonlyMap<string, readonly RecordedEvent[]> = new Map(
  readdirSync(resolve(test, 'golden'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, linesOf(resolve(test, 'golden', name, 'events.jsonl'))]),
);

function linesOf(file: string): readonly RecordedEvent[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => migrate(JSON.parse(line) as RecordedEvent, 1));
}
