import { readScenarios } from './notation';
import type { Entry, Expected, Scenario } from './notation';
import { play } from './player';
import type { Played } from './player';
import { startedRun } from './team';
import { callsText, tallyText, traceLines } from './trace';

export interface Actual {
  readonly trace: readonly string[];
  readonly tally: string;
  readonly calls: string;
}

export type Result =
  | { readonly id: string; readonly isOk: true }
  | { readonly id: string; readonly isOk: false; readonly details: readonly string[] };

export function playScenario({ agents, configuration }: Scenario): Played {
  const { cancelAt, judge } = configuration;
  return play({ started: startedRun(agents.length, configuration), agents, cancelAt, judge });
}

function actualOf(played: Played): Actual {
  const trace = played.log.flatMap((recorded, index) => {
    const source = played.sources[index];
    return source === undefined ? [] : traceLines(recorded, source);
  });
  return {
    trace,
    tally: played.state.selection === null ? 'none' : tallyText(played.state.selection.agreement),
    calls: callsText(played.calls),
  };
}

/** Why a played run is not the expected one; empty when it is. */
export function differences(expected: Expected, played: Played): readonly string[] {
  const actual = actualOf(played);
  const found = [...played.faults];
  const compare = (what: string, wanted: string | undefined, got: string): void => {
    if (wanted !== undefined && wanted !== got) {
      found.push(`expected ${what} ${wanted}`, `actual   ${what} ${got}`);
    }
  };
  compare('trace', expected.trace.join('; '), actual.trace.join('; '));
  compare('tally', expected.tally, actual.tally);
  compare('calls', expected.calls, actual.calls);
  return found;
}

function checkEntry(entry: Entry): Result {
  if (entry.kind === 'unreadable') {
    return { id: entry.id, isOk: false, details: [entry.problem] };
  }
  const { scenario } = entry;
  const details = differences(scenario.expected, playScenario(scenario));
  return details.length === 0
    ? { id: scenario.id, isOk: true }
    : { id: scenario.id, isOk: false, details };
}

/** Runs every scenario of a text; the lines to print, and how many failed. An empty text is a failure. */
export function report(text: string): {
  readonly lines: readonly string[];
  readonly failed: number;
} {
  const results = readScenarios(text).map(checkEntry);
  const failed = results.filter(({ isOk }) => !isOk).length;
  const lines = results.flatMap((result) =>
    result.isOk
      ? [`${result.id} ok`]
      : [`${result.id} FAIL`, ...result.details.map((detail) => `  ${detail}`)],
  );
  return {
    lines: [...lines, `${results.length - failed} passed, ${failed} failed`],
    failed: results.length === 0 ? 1 : failed,
  };
}
