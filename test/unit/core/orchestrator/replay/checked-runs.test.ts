import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../../src/base/sha256';
import type { RecordedEvent } from '../../../../../src/run/events';
import { check, KnownChecks, report } from '../../../../support/checks';
import { type RandomRun, randomRun, untilOver } from '../../../../support/random-runs';
import { ReplayedRun, storedOf } from '../../../../support/replayed-run';
import { RunHarness } from '../../../../support/run-harness';

/** About half of all trees fail. */
function checks(): KnownChecks {
  const good = report({ types: 'passed' });
  return new KnownChecks(good, (id) =>
    sha256Hex(id) < '8' ? report({ types: 'failed' }, { tail: 'It fails.' }) : good,
  );
}

async function play({ scripts, options }: RandomRun): Promise<RunHarness> {
  const settings = { ...options.settings, checks: [check('types')] };
  const harness = new RunHarness(scripts, { ...options, settings, checks: checks() });
  await untilOver(harness.play(), harness.clock);
  return harness;
}

const optionsOf = ({ options }: RandomRun) => ({ tools: options.tools ?? [], checks: checks() });

describe('any run with checks', () => {
  it('comes out the same, event for event, when it is played again, and runs nothing', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (random) => {
        const harness = await play(random);
        const options = optionsOf(random);
        const again = new ReplayedRun(storedOf(harness), options);
        expect(await untilOver(again.replay(), again.clock)).toBeNull();
        expect(again.record.state).toEqual(harness.record.state);
        expect(options.checks.asked).toEqual([]);
      }),
      { numRuns: 60, seed: 11 },
    );
  }, 120_000);

  it('can be gone on with wherever it was cut off, and checks nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomRun,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (random, part) => {
          const harness = await play(random);
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
          const ends = resumed.events.flatMap(({ event }) =>
            event.type === 'orchestration-restarted'
              ? ['anew']
              : event.type === 'checks-ended'
                ? [JSON.stringify(event.subject)]
                : [],
          );
          const attempt = ends.slice(ends.lastIndexOf('anew') + 1);
          expect(attempt).toEqual([...new Set(attempt)]);
          const events = JSON.parse(JSON.stringify(resumed.events)) as RecordedEvent[];
          const again = new ReplayedRun({ ...stored, events }, optionsOf(random));
          expect(await untilOver(again.replay(), again.clock)).toBeNull();
        },
      ),
      { numRuns: 60, seed: 11 },
    );
  }, 120_000);
});
