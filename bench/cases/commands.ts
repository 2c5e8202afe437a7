// What it costs to confine a command: beside the shell alone and bubblewrap alone, all in the same run.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRunWorkspaces } from '../../src/workspace/run-workspaces';
import { findSandbox } from '../../src/workspace/confinement/probe';
import { benchFolder, projectOf, silentLogger } from '../support/project-on-disk';

const never = new AbortController().signal;
const rounds = 15;

interface Case {
  readonly name: string;
  readonly unit: string;
  measure(): Promise<number[]>;
}

export const cases: readonly Case[] = [
  { name: 'command-confined-1k', unit: 'ms', measure: () => confined(1_000) },
  { name: 'command-confined-10k', unit: 'ms', measure: () => confined(10_000) },
  { name: 'command-confined-of-shell', unit: 'x', measure: () => confinedTo(shellAlone) },
  { name: 'command-confined-of-bubblewrap', unit: 'x', measure: () => confinedTo(bubblewrapAlone) },
];

/** Whole calls of an agent's command: mounted view, sandbox, and looking for what was changed. */
async function confined(size: number): Promise<number[]> {
  const dir = benchFolder();
  const sandbox = await findSandbox({ storageFolder: dir }, never);
  const run = createRunWorkspaces({
    ...{ runId: 'bench', dir, unsaved: new Map(), logger: silentLogger },
    folders: [{ name: 'project', path: projectOf(size), permission: 'write' }],
    findSandbox: async () => sandbox,
  });
  try {
    const agent = await run.createAgentWorkspace(1, never);
    const samples: number[] = [];
    for (let n = 0; n <= rounds; n++) {
      const begun = performance.now();
      await agent.runCommand({ command: 'true', cwd: undefined, timeoutMs: 60_000 }, never);
      samples.push(performance.now() - begun);
    }
    // The first one waits for the walk over the project.
    return samples.slice(1);
  } finally {
    await run.close();
    run.store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function confinedTo(other: () => void): Promise<number[]> {
  other();
  const begun = performance.now();
  for (let n = 0; n < rounds; n++) {
    other();
  }
  const otherMs = (performance.now() - begun) / rounds;
  return (await confined(1_000)).map((ms) => ms / otherMs);
}

function shellAlone(): void {
  execFileSync('/bin/sh', ['-c', 'true']);
}

function bubblewrapAlone(): void {
  const rest = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  execFileSync('bwrap', [...rest, '/bin/sh', '-c', 'true']);
}
