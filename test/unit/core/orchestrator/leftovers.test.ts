// Every run that the tests play is looked through at its end; here something is left behind on purpose.
import { describe, expect, it } from 'vitest';
import { onAbort } from '../../../../src/base/abort';
import { toolOf } from '../../../support/plain-tools';
import { RunHarness } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';

/** Two agents answer and vote; the first uses a tool before, and `leave` is what that does. */
function runWith(leave: (harness: RunHarness, signal: AbortSignal) => void): RunHarness {
  const careless = toolOf('careless', 'read', async (_input, _context, signal) => {
    leave(harness, signal);
    return { text: 'Done.', isError: false };
  });
  const vote = [say.vote('agent1')];
  const harness = new RunHarness(
    [
      [[{ call: 'careless', input: {} }], [say.answer('Done.')], vote, ['Done.']],
      [[say.answer('Done as well.')], vote],
    ],
    { tools: [careless] },
  );
  return harness;
}

describe('what a run leaves behind is found', () => {
  it('in a run that leaves nothing: nothing', async () => {
    const run = runWith(() => undefined);
    expect((await run.play()).outcome).not.toBeNull();
  });

  it('a timer', async () => {
    const run = runWith(({ clock }) => void clock.after(60_000, () => undefined));
    await expect(run.play()).rejects.toThrow('left behind: 1 timers');
  });

  it('a listener on what could have stopped it', async () => {
    const run = runWith((_harness, signal) => void onAbort(signal, () => undefined));
    await expect(run.play()).rejects.toThrow('left behind: 1 listeners of agent1');
  });

  it('a call of a model that goes on', async () => {
    const run = runWith(({ backends: [model] }) => {
      const request = model?.requests[0];
      if (model !== undefined && request !== undefined) {
        void model.stream(request, new AbortController().signal).next();
      }
    });
    await expect(run.play()).rejects.toThrow('left behind: 1 calls of agent1');
  });
});
