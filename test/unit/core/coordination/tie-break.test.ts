import { describe, expect, it } from 'vitest';
import { compatSettings, recommendedSettings } from '../../../../src/core/coordination/profiles';
import { tallyOf } from '../../../../src/core/coordination/tally';
import { breakTie } from '../../../../src/core/coordination/tie-break';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import type { FileChange } from '../../../../src/run/facts';
import { Engine } from '../../../support/engine';
import type { Vote } from '../../../support/engine';

interface Cast {
  readonly by: number;
  readonly target: string;
  readonly more?: Partial<Vote>;
}

/** Four agents answer with changes of the given sizes; then votes are cast. Quorum is never reached: a fifth waits. */
function polled(
  settings: CoordinationSettings,
  casts: readonly Cast[],
  lines: readonly number[] = [],
): Engine {
  const engine = new Engine({ count: 5, settings });
  for (const slot of [1, 2, 3, 4]) {
    const size = lines[slot - 1];
    const changes = size === undefined ? [] : [change(size)];
    engine.answer(slot, `answer of agent${slot}`, { changes });
  }
  engine.settle();
  for (const { by, target, more } of casts) {
    engine.vote(by, target, more);
  }
  return engine;
}

function change(lines: number): FileChange {
  return {
    root: 'project',
    path: 'a.ts',
    kind: 'modify',
    added: lines - 1,
    removed: 1,
    isBinary: false,
    sizeBytes: 10,
  };
}

function broken(engine: Engine, tied: readonly number[]): { winner: number; element: unknown } {
  return breakTie(engine.state, tallyOf(engine.state), tied);
}

const selfVotes: readonly Cast[] = [1, 2].map((by) => ({ by, target: `agent${by}` }));

describe('the chain that breaks ties', () => {
  it('asks nobody when only one is left', () => {
    expect(broken(polled(compatSettings(), []), [3])).toEqual({ winner: 3, element: null });
  });

  it('ends in list order for files that hold only the keys of MassGen', () => {
    const engine = polled(compatSettings({ tieBreak: [] }), selfVotes);
    expect(broken(engine, [1, 2])).toEqual({ winner: 1, element: 'config_order' });
  });

  it('prefers votes from others over votes for oneself', () => {
    const engine = polled(compatSettings({ tieBreak: ['votes_from_others'] }), [
      { by: 1, target: 'agent1' },
      { by: 3, target: 'agent2' },
    ]);
    expect(broken(engine, [1, 2])).toEqual({ winner: 2, element: 'votes_from_others' });
  });

  it('counts approvals of others, and votes among them, but not of oneself', () => {
    const engine = polled(compatSettings({ tieBreak: ['approvals'] }), [
      { by: 1, target: 'agent1', more: { approve: ['agent1', 'agent2', 'agent9'] } },
      { by: 2, target: 'agent2', more: { approve: ['AGENT2.1', 'not a label'] } },
      { by: 3, target: 'agent3', more: { approve: ['agent2.1'] } },
    ]);
    expect(broken(engine, [1, 2])).toEqual({ winner: 2, element: 'approvals' });
    expect(engine.agent(1).ballot?.approve).toEqual(['agent2.1']);
  });

  it('prefers the smaller change when all change something', () => {
    const engine = polled(compatSettings({ tieBreak: ['smaller_change'] }), selfVotes, [9, 4, 4]);
    expect(broken(engine, [1, 2])).toEqual({ winner: 2, element: 'smaller_change' });
    expect(broken(engine, [1, 2, 3])).toEqual({ winner: 2, element: 'config_order' });
  });

  it('does not take an answer without changes for the smallest change', () => {
    const engine = polled(compatSettings({ tieBreak: ['smaller_change'] }), selfVotes, [9, 4]);
    expect(broken(engine, [1, 2, 3])).toEqual({ winner: 1, element: 'config_order' });
  });

  it('can prefer the latest or the earliest answer', () => {
    const latest = polled(compatSettings({ tieBreak: ['latest'] }), []);
    expect(broken(latest, [1, 2, 3])).toEqual({ winner: 3, element: 'latest' });
    const earliest = polled(compatSettings({ tieBreak: ['earliest'] }), []);
    expect(broken(earliest, [2, 3])).toEqual({ winner: 2, element: 'earliest' });
  });

  it('goes on to the next element with those that the last one left', () => {
    const engine = polled(
      compatSettings({ tieBreak: ['smaller_change', 'latest'] }),
      [],
      [4, 4, 4, 9],
    );
    expect(broken(engine, [1, 2, 4])).toEqual({ winner: 2, element: 'latest' });
  });

  it('of the recommended profile never looks at list order', () => {
    const winners = Array.from({ length: 40 }, (_unused, i) => {
      const engine = polled(recommendedSettings({ runSeed: `seed ${i}` }), []);
      return broken(engine, [1, 2]);
    });
    expect(new Set(winners.map(({ element }) => element))).toEqual(new Set(['seeded_hash']));
    const first = winners.filter(({ winner }) => winner === 1).length;
    expect(first).toBeGreaterThan(8);
    expect(first).toBeLessThan(32);
  });

  it('gives the same winner for the same seed, in whatever order the tied are named', () => {
    const engine = polled(recommendedSettings({ runSeed: 'abc' }), []);
    expect(broken(engine, [3, 1, 2])).toEqual(broken(engine, [1, 2, 3]));
  });
});
