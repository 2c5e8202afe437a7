// A command that is stopped while its sandbox is only being made.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { oddSleep, running } from '../../../support/running-processes';
import { tempFolder } from '../temp-project';
import { confinedRun, isLayered, named, run } from './confined-run';

test.skipIf(!isLayered)(
  named('a command that is stopped at any moment of its start leaves no process'),
  async () => {
    const agent = await confinedRun(tempFolder()).agent();
    await run(agent, 'true');
    const own = oddSleep();
    for (let turns = 0; turns < 120; turns++) {
      const stop = new AbortController();
      const request = { command: `exec sleep ${own}`, cwd: undefined, timeoutMs: 60_000 };
      const ended = agent.runCommand(request, stop.signal).catch(() => undefined);
      for (let turn = 0; turn < turns * 40; turn++) {
        await nextTurn();
      }
      stop.abort();
      await ended;
    }
    await expect.poll(() => running(`exec sleep ${own}`)).toEqual([]);
    expect(running(own)).toEqual([]);
  },
);
