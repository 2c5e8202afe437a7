// Runs as a process of its own: one agent with one program that nothing confines; says what that prints.
import { writeSync } from 'node:fs';
import { createRunWorkspaces } from '../../../../src/workspace/run-workspaces';
import { script } from './script';

const [project = '', dir = '', text = '', argument = ''] = process.argv.slice(2);
const signal = new AbortController().signal;
const quiet = (): void => undefined;

async function main(): Promise<void> {
  const workspaces = createRunWorkspaces({
    ...{ runId: 'run-1', dir, unsaved: new Map() },
    folders: [{ name: 'proj', path: project, permission: 'write' }],
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    findSandbox: async () => ({ kind: 'none', reason: 'A test.' }),
  });
  const agent = await workspaces.createAgentWorkspace(1, signal);
  const request = script(text, { mayBeUnconfined: true });
  const program = await agent.startProgram(
    { ...request, argv: [...request.argv, argument] },
    signal,
  );
  for (const stream of ['stdout', 'stderr'] as const) {
    program.onOutput(stream, (bytes) => void writeSync(1, bytes));
  }
}

void main();
