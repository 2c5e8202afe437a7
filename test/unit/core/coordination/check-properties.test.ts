import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/base/sha256';
import { awaitsChecks } from '../../../../src/core/coordination/checks';
import type { CheckReport, CheckSpec } from '../../../../src/run/check-facts';
import { isExcluded } from '../../../../src/run/checks';
import type { RecordedEvent, RunEvent } from '../../../../src/run/events';
import { apply } from '../../../../src/run/reducer';
import type { RunState } from '../../../../src/run/state';
import { check, report } from '../../../support/checks';
import { play, type Play, type Played } from '../../../support/scenarios/player';
import { randomPlays } from '../../../support/scenarios/random-scripts';

/** SOAK_RUNS raises the number of random runs; SOAK_SEED repeats one of them. */
const numRuns = Number(process.env['SOAK_RUNS'] ?? 300);
const seed = Number(process.env['SOAK_SEED'] ?? 20_241);
const timeout = 30_000 + numRuns * 40;

/** What is known beforehand of every tree: which of them hold a regression, and how long their checks take. */
interface Plant {
  readonly seed: number;
  /** Of 16 answers, so many break what the untouched folders pass. */
  readonly share: number;
}

const plants = fc.record({ seed: fc.nat(), share: fc.constantFrom(3, 8, 8, 16) });

function digitOf(plant: Plant, of: string): number {
  return Number.parseInt(sha256Hex(`${plant.seed}\n${of}`).slice(0, 1), 16);
}

function isPlanted(plant: Plant, snapshotId: string | null): boolean {
  return snapshotId !== null && digitOf(plant, snapshotId) < plant.share;
}

function outcome(plant: Plant, snapshotId: string | null): CheckReport {
  const lint = snapshotId !== null && digitOf(plant, `lint ${snapshotId}`) < 8;
  return report({
    types: isPlanted(plant, snapshotId) ? 'failed' : 'passed',
    lint: lint ? 'failed' : 'passed',
  });
}

const durations = [0, 0, 10, 30, 90, 200, null] as const;

function withChecks(
  script: Play,
  plant: Plant,
  { mode = 'gate', of = outcome }: { mode?: CheckSpec['mode']; of?: typeof outcome } = {},
): Play {
  const { started } = script;
  const checks = [check('types', mode), check('lint', 'inform')];
  return {
    ...script,
    started: { ...started, settings: { ...started.settings, checks } },
    checks: (subject, snapshotId) => {
      const takes = durations[digitOf(plant, `takes ${snapshotId ?? subject.kind}`) % 7] ?? null;
      // A check that never ends is cut off by the end of the run's time alone.
      return {
        report: of(plant, snapshotId),
        takes: takes === null && started.caps.durationMs === null ? 400 : takes,
      };
    },
  };
}

function always(holds: (played: Played, plant: Plant) => void): void {
  fc.assert(
    fc.property(randomPlays, plants, (script, plant) => {
      holds(play(withChecks(script, plant)), plant);
    }),
    { numRuns, seed },
  );
}

interface Moment<T extends RunEvent['type']> {
  readonly event: Extract<RunEvent, { readonly type: T }>;
  /** The state just before. */
  readonly state: RunState;
}

function momentsOf<T extends RunEvent['type']>(
  log: readonly RecordedEvent[],
  type: T,
): readonly Moment<T>[] {
  const found: Moment<T>[] = [];
  let state: RunState | undefined;
  const isMeant = (event: RunEvent): event is Moment<T>['event'] => event.type === type;
  for (const recorded of log) {
    if (state !== undefined && isMeant(recorded.event)) {
      found.push({ event: recorded.event, state });
    }
    state = apply(state, recorded);
  }
  return found;
}

describe('random runs with checks', () => {
  it('never choose an answer with a planted regression', { timeout }, () => {
    let chosen = 0;
    let failed = 0;
    always(({ log }, plant) => {
      for (const { event, state } of momentsOf(log, 'final-agent-selected')) {
        const { winner, agreement } = event;
        failed += agreement.decidedBy === 'gate_failed' ? 1 : 0;
        if (winner === null || agreement.decidedBy === 'human') {
          continue;
        }
        chosen += 1;
        const revisions = state.agents[winner.slot - 1]?.revisions ?? [];
        const revision = revisions.find(({ label }) => label === winner.label);
        expect(isPlanted(plant, revision?.snapshotId ?? null)).toBe(false);
      }
    });
    expect(chosen).toBeGreaterThan(numRuns / 5);
    expect(failed).toBeGreaterThan(numRuns / 20);
  });

  it('leave what was not checked in time to the user', { timeout }, () => {
    always(({ log }) => {
      for (const { event } of momentsOf(log, 'final-agent-selected')) {
        const { winner, agreement } = event;
        if (winner !== null && agreement.unchecked?.includes(winner.label) === true) {
          expect(agreement.decidedBy).toBe('human');
        }
      }
    });
  });

  it('take no vote before all are checked, and none for what is out', { timeout }, () => {
    let votes = 0;
    always(({ log }) => {
      for (const { event, state } of momentsOf(log, 'vote-cast')) {
        votes += 1;
        expect(awaitsChecks(state)).toBe(false);
        const current = state.agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []);
        const named = [event.target, ...(event.approve ?? [])];
        const slots = named.map((label) => label.split('.')[0]);
        const meant = current.filter((label) => slots.includes(label.split('.')[0]));
        expect(meant.filter((label) => isExcluded(state, label))).toEqual([]);
      }
    });
    expect(votes).toBeGreaterThan(numRuns / 10);
  });

  it('show nobody an answer before its checks have ended', { timeout }, () => {
    always(({ log }) => {
      for (const { event, state } of momentsOf(log, 'agent-turn-started')) {
        const unchecked = event.shown.filter(
          (label) => (state.checks?.answers[label]?.report ?? null) === null,
        );
        expect(unchecked).toEqual([]);
      }
    });
  });

  it('end, and answer each report once', { timeout }, () => {
    always(({ state, log, faults }) => {
      expect(state.outcome).not.toBeNull();
      expect(log.filter(({ event }) => event.type === 'run-ended')).toHaveLength(1);
      expect(faults).toEqual([]);
    });
  });

  it('go the same way whatever checks say that only inform', { timeout }, () => {
    const without = (log: readonly RecordedEvent[]): unknown =>
      log.map(({ event, at }) =>
        event.type === 'checks-ended' ? { at, subject: event.subject } : { at, event },
      );
    fc.assert(
      fc.property(randomPlays, plants, (script, plant) => {
        const passing = (): CheckReport => report({ types: 'passed', lint: 'passed' });
        const failing = play(withChecks(script, plant, { mode: 'inform' }));
        const allPass = play(withChecks(script, plant, { mode: 'inform', of: passing }));
        expect(without(failing.log)).toEqual(without(allPass.log));
      }),
      { numRuns, seed },
    );
  });

  it('are what they were where there are no checks', { timeout }, () => {
    fc.assert(
      fc.property(randomPlays, (script) => {
        const { started } = script;
        const settings = { ...started.settings, checks: [] };
        const other = play({ ...script, started: { ...started, settings } });
        expect(other.log.slice(1)).toEqual(play(script).log.slice(1));
      }),
      { numRuns, seed },
    );
  });
});
