// The command line as it ships: bundled, and run in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';

export const projectRoot = join(import.meta.dirname, '../..');

export interface CliResult {
  readonly code: number | null;
  readonly output: string;
  readonly notes: string;
}

/** An installation that all files of the tests share: nobody writes into it. */
export interface InstalledCli {
  readonly script: string;
}

/** Builds it for the first file that asks; two that ask at once both do, and the one that is done first is taken. */
export async function installCli(): Promise<InstalledCli> {
  const runFolder = inject('runFolder');
  const install = join(runFolder, 'cli');
  if (!existsSync(install)) {
    const own = mkdtempSync(join(runFolder, 'own-'));
    await buildCli(own);
    try {
      renameSync(own, install);
    } catch (error) {
      if (!existsSync(install)) {
        throw error;
      }
    }
  }
  return { script: scriptIn(install) };
}

const scriptIn = (install: string): string => join(install, 'dist', 'cli.js');

async function buildCli(install: string): Promise<void> {
  for (const part of ['media', 'configs', 'package.json']) {
    symlinkSync(join(projectRoot, part), join(install, part));
  }
  await build({
    entryPoints: [join(projectRoot, 'src/cli/main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile: scriptIn(install),
    logLevel: 'error',
  });
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
