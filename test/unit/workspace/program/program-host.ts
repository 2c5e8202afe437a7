// Runs as a process of its own, also as another user: one agent with one program; says what that prints, and waits for its
// end.
import { writeSync } from 'node:fs';
import { findSandbox } from '../../../../src/workspace/confinement/probe';
import { createRunWorkspaces } from '../../../../src/workspace/run-workspaces';
import { script } from './script';

const [project = '', dir = '', home = '', own = '', text = ''] = process.argv.slice(2);
const signal = new AbortController().signal;
const quiet = (): void => undefined;

async function main(): Promise<void> {
  const workspaces = createRunWorkspaces({
    ...{ runId: 'run-1', dir, unsaved: new Map(), homes: [home] },
    folders: [{ name: 'proj', path: project, permission: 'write' }],
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    findSandbox: (within) => findSandbox({ storageFolder: dir }, within),
  });
  const agent = await workspaces.createAgentWorkspace(1, signal);
  const program = await agent.startProgram(script(text, { ownFolders: [own] }), signal);
  for (const stream of ['stdout', 'stderr'] as const) {
    program.onOutput(stream, (bytes) => void writeSync(1, bytes));
  }
  const code = await program.ended;
  const { changes } = await agent.takeSnapshot(signal);
  const list = changes.map(({ kind, path }) => `${kind} ${path}`).join(', ');
  writeSync(1, `ended with ${code}: ${list}\n`);
  await workspaces.close();
  workspaces.store.close();
}

void main();
