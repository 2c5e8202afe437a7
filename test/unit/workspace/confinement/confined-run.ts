// Runs whose commands are confined by the real kernel, and the reason where it does not allow that.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSandbox } from '../../../../src/workspace/confinement/probe';
import type { Sandbox } from '../../../../src/workspace/confinement/sandbox';
import { hasLayers } from '../../../../src/workspace/confinement/sandbox';
import type { AgentWorkspace, CommandResult } from '../../../../src/core/ports/workspace';
import type { RunWorkspacesOptions } from '../../../../src/workspace/run-workspaces';
import type { TestRun } from '../temp-project';
import { never, startRun } from '../temp-project';

const sandbox: Sandbox = await findSandbox(
  { storageFolder: join(tmpdir(), 'massgen-test-probe') },
  never,
);

/** Name of a group of tests: says why they are left out where they are. */
export function named(what: string): string {
  if (sandbox.kind === 'none') {
    return `${what} (left out: ${sandbox.reason})`;
  }
  const reason = sandbox.kind === 'linux' ? sandbox.copyReason : 'not Linux';
  return reason === undefined ? what : `${what} (left out: ${reason})`;
}

export const isLayered = hasLayers(sandbox);

export function confinedRun(project: string, options: Partial<RunWorkspacesOptions> = {}): TestRun {
  return startRun(project, { findSandbox: async () => sandbox, ...options });
}

/** The same in a copy of the project, as where layers cannot be mounted. */
export function copiedRun(project: string, options: Partial<RunWorkspacesOptions> = {}): TestRun {
  const plain: Sandbox =
    sandbox.kind === 'linux' ? { ...sandbox, copyReason: 'a test wants a copy' } : sandbox;
  return startRun(project, { findSandbox: async () => plain, ...options });
}

export async function run(
  agent: AgentWorkspace,
  command: string,
  timeoutMs = 60_000,
): Promise<CommandResult> {
  return agent.runCommand({ command, cwd: undefined, timeoutMs }, never);
}

/** Output of a command, both streams. */
export async function output(agent: AgentWorkspace, command: string): Promise<string> {
  return (await run(agent, command)).output;
}
