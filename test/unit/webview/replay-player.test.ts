import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src/run/events';
import { ReplayPlayer } from '../../../webview/replay-player';
import { createLog, reduce } from '../../webview/fixtures/log';
import * as runs from '../../webview/fixtures/runs';

function playerOf(events: readonly RecordedEvent[]): ReplayPlayer {
  const player = ReplayPlayer.create(events);
  if (player === undefined) {
    throw new Error('there is nothing to play');
  }
  return player;
}

/** A log with more events than one block of kept states. */
function longLog(): readonly RecordedEvent[] {
  let log = runs.drafting();
  for (let n = 0; n < 500; n++) {
    log = log.at(40 + n, { type: 'text-delta', slot: 1, turnNo: 1, call: 2, text: `${n} ` });
  }
  return log.events;
}

describe('playing a stored run', () => {
  test('shows at each event what the reducer makes of the events up to it, in whatever order', () => {
    const events = longLog();
    const player = playerOf(events);
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 8 }), (places) => {
        for (const place of places) {
          expect(player.stateAt(place)).toEqual(reduce(events.slice(0, place + 1)));
        }
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  test('stays inside the run', () => {
    const { events } = runs.won();
    const player = playerOf(events);
    expect(player.stateAt(-5).seq).toBe(0);
    expect(player.stateAt(9_999).seq).toBe(player.last);
  });

  test('a step leaves out pieces of text, and ends at the ends', () => {
    const events = longLog();
    const player = playerOf(events);
    const lastOther = events.findLastIndex(({ event }) => event.type !== 'text-delta');
    expect(player.step(lastOther, 1)).toBe(player.last);
    expect(player.step(player.last, -1)).toBe(lastOther);
    expect(player.step(0, -1)).toBe(0);
  });

  test('waits as long as the run did, divided by the speed, and never for minutes', () => {
    const log = createLog(runs.drafting().events.slice(0, 1))
      .at(2, { type: 'agent-abstained', slot: 1 })
      .at(600, { type: 'agent-abstained', slot: 2 });
    const player = playerOf(log.events);
    expect(player.pauseAfter(0, 4)).toBe(500);
    expect(player.pauseAfter(1, 4)).toBe(1_000);
    expect(player.pauseAfter(2, 4)).toBeUndefined();
  });

  test('there is nothing to play without the beginning of a run', () => {
    expect(ReplayPlayer.create([])).toBeUndefined();
    expect(ReplayPlayer.create(runs.won().events.slice(1))).toBeUndefined();
  });
});
