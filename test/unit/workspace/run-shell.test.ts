import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { runShell } from '../../../src/workspace/command/run-shell';
import type { ShellCommand } from '../../../src/workspace/command/run-shell';
import { never, tempFolder } from './temp-project';
import { running } from '../../support/running-processes';

let count = 0;

function command(text: string, more: Partial<ShellCommand> = {}): ShellCommand {
  count += 1;
  const folder = tempFolder();
  return {
    command: text,
    cwd: folder,
    folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    mark: `test-${process.pid}-${count}`,
    timeoutMs: 60_000,
    ...more,
  };
}

/** A number of seconds nobody else sleeps, to find the process by. */
function oddSleep(): string {
  count += 1;
  return `${3000 + count}.${process.pid}`;
}

describe('a command', () => {
  test('gives output of both streams and its exit code', async () => {
    expect(await runShell(command('echo out; echo err >&2; exit 7'), never)).toEqual({
      exitCode: 7,
      isTimedOut: false,
      output: 'out\nerr\n',
      outputBytes: 8,
    });
  });

  test('has no input and no terminal', async () => {
    const { output, exitCode } = await runShell(command('cat; test -t 0; echo $?'), never);
    expect([output, exitCode]).toEqual(['1\n', 0]);
  });

  test('loses its background children when it ends, also those that left its group', async () => {
    const [plain, left, bare, clean] = [oddSleep(), oddSleep(), oddSleep(), oddSleep()];
    const text = `sleep ${plain} & setsid sleep ${left} & (setsid sh -c 'exec sleep ${bare}' >/dev/null 2>&1 &) ; (env -i setsid sleep ${clean} >/dev/null 2>&1 &) ; sleep 0.2; echo done`;
    const result = await runShell(command(text), never);
    expect([result.exitCode, result.output]).toEqual([0, 'done\n']);
    expect([plain, left, bare, clean].flatMap(running)).toEqual([]);
  });

  test('is ended at its time limit with all its children, even when they ignore a friendly signal', async () => {
    const [own, left] = [oddSleep(), oddSleep()];
    const text = `trap '' TERM; setsid sleep ${left} & echo begun; while :; do sleep ${own}; done`;
    const result = await runShell(command(text, { timeoutMs: 300 }), never);
    expect(result).toMatchObject({ exitCode: null, isTimedOut: true, output: 'begun\n' });
    expect([own, left].flatMap(running)).toEqual([]);
  });

  test('is ended with all its children when the agent is stopped', async () => {
    const [own, left] = [oddSleep(), oddSleep()];
    const stop = new AbortController();
    const reason = new Error('stopped');
    const request = command(
      `setsid sleep ${left} & echo begun; trap '' TERM; sleep ${own}; sleep ${own}`,
      {
        onOutput: () => stop.abort(reason),
      },
    );
    await expect(runShell(request, stop.signal)).rejects.toBe(reason);
    expect([own, left].flatMap(running)).toEqual([]);
  });

  test('is ended with its children when the process that runs it is killed', async () => {
    const folder = tempFolder();
    const script = join(folder, 'shell-running-process.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'shell-running-process.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: script,
    });
    const [own, left] = [oddSleep(), oddSleep()];
    const text = `sleep ${left} & echo up; sleep ${own}; wait`;
    const host = spawn(process.execPath, [script, folder, text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(host.stdout, 'data');
    host.kill('SIGKILL');
    await once(host, 'exit');
    await expect.poll(() => [own, left].flatMap(running)).toEqual([]);
  });

  test('that waits for all its children waits for its own alone', async () => {
    const { exitCode, output } = await runShell(command('sleep 0.1 & wait; echo over'), never);
    expect([exitCode, output]).toEqual([0, 'over\n']);
  });

  test('does not start when the agent was stopped before', async () => {
    await expect(
      runShell(command('echo x'), AbortSignal.abort(new Error('before'))),
    ).rejects.toThrow('before');
  });

  test('with endless output is ended, and head and tail are kept', async () => {
    const result = await runShell(command('yes'), never);
    expect(result.exitCode).toBe(null);
    expect(result.outputBytes).toBeGreaterThan(64 * 1024 * 1024);
    expect(result.output.length).toBeLessThan(34_000);
    expect(result.output).toMatch(/^y\ny\n[^]*characters of output left out[^]*too much output/);
  });

  test('with long output keeps the first and the last 16 KB', async () => {
    const { output } = await runShell(command('echo first; seq 1 20000; echo last'), never);
    expect(output).toMatch(/^first\n1\n2\n/);
    expect(output).toMatch(/\[… 76\d\d\d characters of output left out …\]/);
    expect(output).toMatch(/\n20000\nlast\n$/);
  });

  test('shows live output without escape sequences, however it is cut', async () => {
    const live: string[] = [];
    const text = String.raw`printf '\033[31mred\033[0m \033]52;c;Zm9v\007x\033]8;;http://a\033\\y\r50%%\r\n'; printf '\033['; sleep 0.05; printf '1Az\302\233mb\001\177\342\202'; sleep 0.05; printf '\254'`;
    const result = await runShell(command(text, { onOutput: (part) => live.push(part) }), never);
    expect(result.output).toBe('red xy\n50%\nzb€');
    expect(live.join('')).toBe(result.output);
  });

  test('that cannot start says why', async () => {
    await expect(runShell(command('true', { cwd: '/nowhere' }), never)).rejects.toMatchObject({
      code: 'tool/failed',
    });
  });
});
