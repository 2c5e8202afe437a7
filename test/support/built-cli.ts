// The command line as it ships: bundled, and run in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export const projectRoot = join(import.meta.dirname, '../..');

export interface CliResult {
  readonly code: number | null;
  readonly output: string;
  readonly notes: string;
}

/** An installation in a temporary folder; `remove` takes it away. */
export interface InstalledCli {
  readonly script: string;
  remove(): void;
}

export async function installCli(): Promise<InstalledCli> {
  const install = mkdtempSync(join(tmpdir(), 'massgen-install-'));
  for (const part of ['media', 'configs', 'package.json']) {
    symlinkSync(join(projectRoot, part), join(install, part));
  }
  const script = join(install, 'dist', 'cli.js');
  await build({
    entryPoints: [join(projectRoot, 'src/cli/main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile: script,
    logLevel: 'error',
  });
  return { script, remove: () => rmSync(install, { recursive: true, force: true }) };
}

export interface CliPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export function startCli(
  { script }: InstalledCli,
  args: readonly string[],
  { cwd, environment }: CliPlace,
): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function finished(child: ChildProcess): Promise<CliResult> {
  let output = '';
  let notes = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, notes };
}

/** Resolves when the words have been printed, with all that has been printed by then. */
export async function printed(child: ChildProcess, words: string): Promise<string> {
  let output = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(words)) {
        resolve(output);
      }
    });
  });
}
