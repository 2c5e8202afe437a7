import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../../../../src/run/events';
import { playRandom, type RandomRun, randomRun, untilOver } from '../../../../support/random-runs';
import { ReplayedRun, storedOf } from '../../../../support/replayed-run';

const optionsOf = ({ options }: RandomRun) => ({ tools: options.tools ?? [] });

describe('any run', () => {
  it('comes out the same, event for event, when it is played again', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (random) => {
        const harness = await playRandom(random);
        const again = new ReplayedRun(storedOf(harness), optionsOf(random));
        expect(await untilOver(again.replay(), again.clock)).toBeNull();
        expect(again.record.state).toEqual(harness.record.state);
        expect(harness.clock.pending + again.clock.pending).toBe(0);
      }),
      { numRuns: 200, seed: 11 },
    );
  }, 120_000);

  it('can be gone on with wherever it was cut off, and what comes of it plays the same again', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomRun,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (random, part) => {
          const harness = await playRandom(random);
          const count = 1 + Math.floor(part * (harness.events.length - 1));
          const stored = storedOf(harness, count);
          const rest = random.scripts.map((script, i) =>
            script.slice(
              stored.events.filter(
                ({ event }) => event.type === 'model-call-ended' && event.slot === i + 1,
              ).length,
            ),
          );
          const resumed = new ReplayedRun(stored, optionsOf(random), rest);
          const state = await untilOver(resumed.resume(), resumed.clock);
          expect(state.outcome).not.toBeNull();
          expect(resumed.clock.pending).toBe(0);
          const events = JSON.parse(JSON.stringify(resumed.events)) as RecordedEvent[];
          const again = new ReplayedRun({ ...stored, events }, optionsOf(random));
          expect(await untilOver(again.replay(), again.clock)).toBeNull();
        },
      ),
      { numRuns: 100, seed: 11 },
    );
  }, 120_000);
});
