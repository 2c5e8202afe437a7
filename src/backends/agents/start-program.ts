import { linkAbort, onAbort } from '../../base/abort';
import { shownCommand } from '../../base/shown-command';
import { isMassGenError } from '../../core/errors';
import type { ApprovalQuestion } from '../../core/ports/model-backend';
import type { AgentWorkspace, Program, ProgramRequest } from '../../core/ports/workspace';
import { notAllowed, notStarted, type ProgramFacts } from './faults';

/** How one agent's program is started, the same each time. */
export interface ProgramStart {
  readonly facts: ProgramFacts;
  readonly workspace: AgentWorkspace;
  /** Program and the arguments that come first. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Those of its variables that the team file sets, as they stand there, without secrets; absent: none. */
  readonly named?: Readonly<Record<string, string>>;
  /** Further variables where it is confined. */
  readonly confinedEnvironment?: Readonly<Record<string, string>>;
  readonly ownFolders: readonly string[];
  readonly hosts: readonly string[];
}

/** What differs from one start to the next. */
export interface StartParts {
  readonly args: readonly string[];
  readonly sockets: readonly string[];
  readonly readable: readonly string[];
}

/** What a start depends on beside its own settings. */
export interface StartPlace {
  /** Aborts when the agent needs no program any more. */
  readonly life: AbortSignal;
  /** Asks whether it may run where nothing confines it, at most once per run and program. Rejects with `cancelled/*`. */
  readonly mayRunUnconfined: (question: ApprovalQuestion, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Throws `backend/unavailable` with what to do, `tool/denied` where nothing confines it and this was not allowed, and
 * `cancelled/*`. `signal` counts while it is started, the life of the place as long as it runs.
 */
export async function startProgram(
  start: ProgramStart,
  { args, sockets, readable }: StartParts,
  { life, mayRunUnconfined }: StartPlace,
  signal: AbortSignal,
): Promise<Program> {
  const { workspace, command, environment, ownFolders, hosts } = start;
  const branch = linkAbort(life);
  const tie = onAbort(signal, (reason) => branch.abort(reason));
  const request: ProgramRequest = {
    ...{ argv: [...command, ...args], cwd: undefined, environment },
    ...{ ownFolders, hosts, sockets, readable },
  };
  try {
    const reason = workspace.unconfinedProgramReason;
    if (reason !== undefined && !(await mayRunUnconfined(questionOf(start), branch.signal))) {
      throw notAllowed(start.facts, reason);
    }
    const variables = { ...environment, ...start.confinedEnvironment };
    const program = await workspace.startProgram(
      reason === undefined
        ? { ...request, environment: variables }
        : { ...request, mayBeUnconfined: true },
      branch.signal,
    );
    const end = (): void => branch.dispose();
    program.ended.then(end, end);
    return program;
  } catch (error) {
    branch.dispose();
    signal.throwIfAborted();
    throw isMassGenError(error, 'tool/denied') ? error : notStarted(error, start.facts);
  } finally {
    tie.dispose();
  }
}

/**
 * The arguments of one start are left out: they differ from session to session, and the answer holds for all of them. What is
 * set for it is part of it: by that it can become another program.
 */
function questionOf({ workspace, command, named }: ProgramStart): ApprovalQuestion {
  const cwd = workspace.roots[0]?.shownPath ?? '/';
  return { command: shownCommand(command, named), cwd, isConfined: false, isProgram: true };
}

/**
 * Finds out before a run begins whether the program is there at all: it is asked for its version where it is confined, and
 * only looked for elsewhere. Throws like `startProgram`.
 */
export async function checkInstalled(start: ProgramStart, signal: AbortSignal): Promise<void> {
  const { facts, workspace, command, environment, confinedEnvironment, ownFolders } = start;
  try {
    const program = await workspace.startProgram(
      {
        ...{ argv: [command[0], '--version'], cwd: undefined, ownFolders, hosts: [] },
        environment: { ...environment, ...confinedEnvironment },
      },
      signal,
    );
    program.input.end();
    await program.stop();
  } catch (error) {
    signal.throwIfAborted();
    if (!isMassGenError(error, 'tool/unconfined')) {
      throw notStarted(error, facts);
    }
  }
}
