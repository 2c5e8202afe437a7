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

function always(holds: (played: Played) => void): void {
  fc.assert(
    fc.property(randomPlays, (script) => {
      holds(play(script));
    }),
    { numRuns, seed },
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

  it('make no model call without a reason', { timeout }, () => {
    always((played) => {
      const reasons = played.calls.map(
        (_unused, index) => reasonsOf(played, index + 1) + (played.abandoned[index] ?? 0),
      );
      expect(reasons).toEqual(played.calls);
    });
  });
});

/** Calls of an agent that came back, counted by what became of them. */
function reasonsOf(played: Played, slot: number): number {
  return played.log.filter(({ event }, i) => {
    const isOwn = 'slot' in event && event.slot === slot;
    return isOwn && isReason(event, played, i);
  }).length;
}

function isReason(event: RunEvent, { log, sources, state }: Played, i: number): boolean {
  switch (event.type) {
    case 'tool-round-ended':
    case 'protocol-error':
    case 'vote-ignored':
    case 'backend-retried':
    case 'answer-submitted':
    case 'vote-cast':
      return true;
    case 'agent-held':
      return event.draft !== undefined;
    case 'turn-failed':
      return event.cause === 'backend';
    case 'agent-abstained':
      return sources[i]?.reporting === event.slot;
    case 'agent-stopped':
      return event.by === 'agent';
    case 'agent-turn-ended': {
      // A presentation has no event of its own for the call that ended it; at a cap the call before counts.
      const isPresented =
        state.presentation?.slot === event.slot &&
        state.agents[event.slot - 1]?.turnNo === event.turnNo &&
        sources[i]?.reporting === event.slot;
      return isPresented && log[i - 1]?.event.type !== 'cap-reached';
    }
    default:
      return false;
  }
}
