import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { tempFolder } from '../../workspace/temp-project';
import { stubFile } from './mcp-bench';

const running = (mark: string): number =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark) && !line.includes('host.mjs')).length;

it('a server that nothing confines ends with the process that started it, although it does not listen', async () => {
  const folder = tempFolder();
  const outfile = join(folder, 'host.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'bare-host.ts')],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'silent' },
  });
  const temporary = tempFolder();
  const mark = join(folder, 'log');
  const words = [stubFile, 'family', 'runaway', 'deaf', 'noise', `log=${mark}`];
  const host = spawn(process.execPath, [outfile, process.execPath, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: temporary },
  });
  await once(host.stdout, 'data');
  expect(running(mark)).toBeGreaterThan(0);
  host.kill('SIGKILL');
  await once(host, 'exit');
  while (running(mark) > 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(running(mark)).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});
