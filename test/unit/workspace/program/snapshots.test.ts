// Snapshots that are taken while programs write.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/core/ports/workspace';
import { whilePaused } from '../../../../src/workspace/program/paused';
import type { TestRun } from '../temp-project';
import { confinedRun, copiedRun, isLayered, named } from '../confinement/confined-run';
import { never, tempFolder, text } from '../temp-project';
import { killAll, oddArgument, running, stateOf } from './processes';
import { begin } from './started-program';

const fileCount = 40;

/** Writes the same number into files one after the other, each time one higher, in several processes. */
const counting = `
  const fs = require('fs');
  for (let count = 1000; ; count++) {
    for (let index = 0; index < ${fileCount}; index++) {
      fs.writeFileSync('.part', String(count));
      fs.renameSync('.part', 'f' + String(index).padStart(2, '0'));
    }
    if (count === 1000) { console.log('up'); }
  }`;

function numbersIn({ workspaces }: TestRun, { id, changes }: Snapshot): readonly number[] {
  return changes
    .filter(({ path }) => path.startsWith('f'))
    .map(({ path }) => workspaces.store.readEntry(id, 'proj', path)?.now ?? null)
    .map((content) => Number(text(workspaces.store.readContent(content) ?? new Uint8Array())));
}

describe.skipIf(!isLayered)(named('a snapshot beside a program that writes all the time'), () => {
  test.each([
    ['in its layers', confinedRun],
    ['in a copy', copiedRun],
  ] as const)('%s shows one moment', async (_where, start) => {
    const run = start(tempFolder());
    const agent = await run.agent();
    const { said } = await begin(agent, counting);
    await expect.poll(said).toBe('up\n');
    let last = 0;
    for (let round = 0; round < 8; round++) {
      // File tools look without a pause, and must not spoil what a snapshot sees afterwards.
      const start = last;
      const first00 = async (): Promise<number> => Number(text(await agent.readFile('f00', never)));
      await expect.poll(first00).toBeGreaterThan(start);
      const snapshot = await agent.takeSnapshot(never);
      const numbers = numbersIn(run, snapshot);
      expect(numbers.length).toBe(fileCount);
      const [first = 0] = numbers;
      const border = numbers.indexOf(first - 1);
      const expected = numbers.map((_each, index) =>
        border >= 0 && index >= border ? first - 1 : first,
      );
      expect(numbers).toEqual(expected);
      expect(snapshot.isUnsettled).toBeUndefined();
      last = first;
    }
  });
});

describe.skipIf(!isLayered)(named('while files are read'), () => {
  test('every process of a program stands still, and goes on afterwards', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const odd = oddArgument();
    const busy = 'for (;;) { require("fs").existsSync("/"); }';
    const { program, said } = await begin(
      agent,
      `const { spawn } = require('child_process');
       spawn('setsid', ['-f', process.execPath, '-e', ${JSON.stringify(busy)}, '${odd}'], { stdio: 'ignore' })
         .on('exit', () => console.log('up'));
       setInterval(() => undefined, 1e6);`,
    );
    await expect.poll(said).toBe('up\n');
    const pids = running(odd);
    const states = await whilePaused([{ below: process.pid }], async (isStill) => [
      isStill,
      pids.map(stateOf),
    ]);
    expect(states).toEqual([true, ['T']]);
    await expect.poll(() => pids.map(stateOf)).not.toContain('T');
    const failing = whilePaused([{ below: process.pid }], async () => {
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    await expect.poll(() => pids.map(stateOf)).not.toContain('T');
    await program.stop();
  });

  test('a process that somebody else had stopped stays so', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const odd = oddArgument();
    const { said } = await begin(
      agent,
      `require('child_process').spawn('sleep', ['1000'], { argv0: '${odd}', stdio: 'ignore' })
         .on('spawn', () => console.log('up'));`,
    );
    await expect.poll(said).toBe('up\n');
    const pids = running(odd);
    expect(pids.length).toBe(1);
    pids.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    await expect.poll(() => pids.map(stateOf)).toEqual(['T']);
    await agent.takeSnapshot(never);
    expect(pids.map(stateOf)).toEqual(['T']);
  });

  test('a program that dies in the middle spoils nothing', async () => {
    const run = confinedRun(tempFolder());
    const agent = await run.agent();
    const words = `/* ${oddArgument()} */
      for (let i = 0; i < 300; i++) { require('fs').writeFileSync('f' + i, String(1000 + i)); }
      console.log('up');
      setInterval(() => undefined, 1e6);`;
    const { program, said } = await begin(agent, words);
    await expect.poll(said).toBe('up\n');
    const pids = running(words);
    const seen = { isKilled: false, isTaken: false };
    const taking = agent.takeSnapshot(never).finally(() => (seen.isTaken = true));
    while (!seen.isKilled && !seen.isTaken) {
      await nextTurn();
      if (pids.some((pid) => stateOf(pid) === 'T')) {
        killAll(pids);
        seen.isKilled = true;
      }
    }
    expect(seen).toEqual({ isKilled: true, isTaken: false });
    expect(numbersIn(run, await taking).length).toBe(300);
    await program.ended;
    expect(numbersIn(run, await agent.takeSnapshot(never)).length).toBe(300);
  });

  test('only commands in the background leave it unsettled', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    await begin(agent, 'setInterval(() => undefined, 1e6);');
    expect((await agent.takeSnapshot(never)).isUnsettled).toBeUndefined();
    await agent.startCommand({ command: 'sleep 60', cwd: undefined, timeoutMs: 60_000 }, never);
    expect((await agent.takeSnapshot(never)).isUnsettled).toBe(true);
  });
});
