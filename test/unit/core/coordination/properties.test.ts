import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedEvent, RunEvent } from '../../../../src/run/events';
import { apply } from '../../../../src/run/reducer';
import type { RunState } from '../../../../src/run/state';
import { play } from '../../../support/scenarios/player';
import type { Played } from '../../../support/scenarios/player';
import { randomPlays } from '../../../support/scenarios/random-scripts';

/** SOAK_RUNS raises the number of random runs; SOAK_SEED repeats one of them. */
const numRuns = Number(process.env['SOAK_RUNS'] ?? 300);
const seed = Number(process.env['SOAK_SEED'] ?? 20_240);
const timeout = 30_000 + numRuns * 20;

function always(holds: (played: Played) => void, runs = numRuns): void {
  fc.assert(
    fc.property(randomPlays, (script) => {
      holds(play(script));
    }),
    { numRuns: runs, seed },
  );
}

function reduceAll(
  log: readonly RecordedEvent[],
  from: RunState | undefined,
): RunState | undefined {
  return log.reduce<RunState | undefined>(apply, from);
}

describe('random runs', () => {
  it('end when answers and turns are limited', { timeout }, () => {
    always(({ state, log }) => {
      expect(state.outcome).not.toBeNull();
      expect(log.filter(({ event }) => event.type === 'run-ended')).toHaveLength(1);
      expect(state.agents.filter(({ turn }) => turn !== null)).toEqual([]);
    });
  });

  it('choose an answer that exists, and present no other', { timeout }, () => {
    always(({ state }) => {
      const winner = state.selection?.winner ?? null;
      if (winner !== null) {
        const labels = state.agents[winner.slot - 1]?.revisions.map(({ label }) => label);
        expect(labels?.at(-1)).toBe(winner.label);
        expect([winner.label, undefined]).toContain(state.finalAnswer?.label);
      } else {
        expect(state.finalAnswer).toBeNull();
      }
    });
  });

  it('count ballots only for current answers, unless the voter could not know', { timeout }, () => {
    always(({ state }) => {
      const current = state.agents.map(({ revisions }) => revisions.at(-1)?.label);
      const older = state.agents.filter(
        ({ ballot }) => ballot?.isInformed === true && !current.includes(ballot.target),
      );
      expect(state.settings.updateDelivery === 'off' ? [] : older).toEqual([]);
    });
  });

  it('give out no more votes than the electorate has', { timeout }, () => {
    always(({ state }) => {
      const agreement = state.selection?.agreement;
      const given = Object.values(agreement?.votes ?? {}).reduce((sum, votes) => sum + votes, 0);
      expect(given).toBeLessThanOrEqual((agreement?.eligibleWeight ?? 0) + 1e-9);
    });
  });

  it('go the same way whatever the agents and models are called', { timeout }, () => {
    fc.assert(
      fc.property(randomPlays, (script) => {
        const { agents } = script.started;
        const renamed = agents.map((agent, index) => {
          const other = agents.at(-1 - index);
          return { ...agent, id: `z-${other?.id ?? ''}`, model: other?.model ?? '' };
        });
        const other = play({ ...script, started: { ...script.started, agents: renamed } });
        expect(other.log.slice(1)).toEqual(play(script).log.slice(1));
      }),
      { numRuns, seed },
    );
  });

  it('are rebuilt from their log, from any point of it', { timeout }, () => {
    fc.assert(
      fc.property(randomPlays, fc.nat(), (script, cut) => {
        const played = play(script);
        const at = cut % (played.log.length + 1);
        const saved: unknown = JSON.parse(
          JSON.stringify(reduceAll(played.log.slice(0, at), undefined) ?? null),
        );
        const rest = reduceAll(played.log.slice(at), at === 0 ? undefined : (saved as RunState));
        expect(reduceAll(played.log, undefined)).toEqual(played.state);
        expect(rest).toEqual(played.state);
      }),
      { numRuns, seed },
    );
  });

  it(
    'never have two calls of one agent in flight, and answer each report once',
    { timeout },
    () => {
      always(({ faults }) => {
        expect(faults).toEqual([]);
      });
    },
  );

  it('come to everything that can be decided', { timeout }, () => {
    const met = new Set<string>();
    always(({ log }) => {
      for (const { event } of log) {
        met.add(event.type);
      }
    }, 3000);
    expect(decided.filter((type) => !met.has(type))).toEqual([]);
  });

  it('make no model call without a reason', { timeout }, () => {
    always((played) => {
      const reasons = played.calls.map(
        (_unused, index) => reasonsOf(played, index + 1) + (played.abandoned[index] ?? 0),
      );
      expect(reasons).toEqual(played.calls);
    });
  });
});

/** What a run may decide, beside how it was resumed. */
const decided: readonly RunEvent['type'][] = [
  'agent-held',
  'agent-stopped',
  'agent-abstained',
  'agent-failed',
  'agent-revived',
  'runoff-started',
  'extra-round-started',
  'dual-pass-started',
  'judge-asked',
  'judge-decided',
  'turn-limit-reached',
  'wrap-up-delivered',
  'answer-now-requested',
  'steering-received',
  'steering-delivered',
  'user-override',
  'planning-decided',
  'evaluation-started',
  'evaluation-ended',
  'orchestration-restarted',
  'final-presentation-started',
  'cap-reached',
  'run-ended',
];

/** Calls of an agent that came back and left something in the log. */
function reasonsOf({ log, sources }: Played, slot: number): number {
  const reports = sources.flatMap(({ reporting, report }, i) => {
    const event = log[i]?.event;
    const isOwn = event !== undefined && 'slot' in event && event.slot === slot;
    return reporting === slot && isOwn ? [report] : [];
  });
  return new Set(reports).size;
}
