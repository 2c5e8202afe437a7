// Runs as a process of its own, also as another user: one agent, some commands in turn; says what they print, then waits
// for the end of its last one.
import { writeSync } from 'node:fs';
import { findSandbox } from '../../../../src/workspace/confinement/probe';
import { createRunWorkspaces } from '../../../../src/workspace/run-workspaces';

const [project = '', dir = '', ...commands] = process.argv.slice(2);
const signal = new AbortController().signal;
const quiet = (): void => undefined;

async function main(): Promise<void> {
  const workspaces = createRunWorkspaces({
    ...{ runId: 'run-1', dir, unsaved: new Map() },
    folders: [{ name: 'proj', path: project, permission: 'write' }],
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    findSandbox: (within) => findSandbox({ storageFolder: dir }, within),
  });
  const agent = await workspaces.createAgentWorkspace(1, signal);
  writeSync(1, `${agent.unconfinedReason ?? 'confined'} at ${agent.roots[0]?.shownPath}\n`);
  for (const command of commands) {
    const onOutput = (text: string): void => void writeSync(1, text);
    await agent.runCommand({ command, cwd: undefined, timeoutMs: 600_000, onOutput }, signal);
  }
  const { changes } = await agent.takeSnapshot(signal);
  writeSync(1, `${JSON.stringify(changes.map(({ kind, path }) => `${kind} ${path}`))}\n`);
  await workspaces.close();
  workspaces.store.close();
}

void main();
