import { linkAbort, onAbort } from '../../base/abort';
import type { AgentWorkspace, Program } from '../../core/ports/workspace';
import { notStarted, type ProgramFacts } from './faults';

/** How one agent's program is started, the same each time. */
export interface ProgramStart {
  readonly facts: ProgramFacts;
  readonly workspace: AgentWorkspace;
  /** Program and the arguments that come first. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly ownFolders: readonly string[];
  readonly hosts: readonly string[];
}

/** What differs from one start to the next. */
export interface StartParts {
  readonly args: readonly string[];
  readonly sockets: readonly string[];
  readonly readable: readonly string[];
}

/**
 * Throws `backend/unavailable` with what to do, and `cancelled/*`. `signal` counts while it is started, `life` as long as it
 * runs.
 */
export async function startProgram(
  { facts, workspace, command, environment, ownFolders, hosts }: ProgramStart,
  { args, sockets, readable }: StartParts,
  life: AbortSignal,
  signal: AbortSignal,
): Promise<Program> {
  const branch = linkAbort(life);
  const tie = onAbort(signal, (reason) => branch.abort(reason));
  try {
    const program = await workspace.startProgram(
      {
        ...{ argv: [...command, ...args], cwd: undefined },
        ...{ environment, ownFolders, hosts, sockets, readable },
      },
      branch.signal,
    );
    const end = (): void => branch.dispose();
    program.ended.then(end, end);
    return program;
  } catch (error) {
    branch.dispose();
    signal.throwIfAborted();
    throw notStarted(error, facts);
  } finally {
    tie.dispose();
  }
}

/** Finds out before a run begins whether the program is there at all: it is asked for its version. Throws like `startProgram`. */
export async function checkInstalled(start: ProgramStart, signal: AbortSignal): Promise<void> {
  const [name] = start.command;
  const parts = { args: ['--version'], sockets: [], readable: [] };
  const program = await startProgram(
    { ...start, command: [name], hosts: [] },
    parts,
    signal,
    signal,
  );
  program.input.end();
  await program.stop();
}
