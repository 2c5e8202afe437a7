import type { RunConfig, RunHandle } from '../app/app-contract';
import type { RunState } from '../run/state';
import { printClosing, type Way } from './closing';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes';
import { isClone } from './plan';
import { applyProposal, readDiff, type ReviewResult } from './proposal';
import { watchInbox } from './inbox';
import type { Watching } from './person';
import { printResult } from './result-printer';
import { systemClock } from './system-clock';
import type { Terminal } from './terminal';
import { type Watched, watchRun } from './watch-run';
import type { World } from './world';

export interface Course {
  readonly way: Way;
  /** Write the result into the project. */
  readonly apply: boolean;
  /** The team file asks for it without a word on the command line. */
  readonly autoApply?: RunConfig['autoApply'] | undefined;
  /** The team file counts a deadline that was hit with an answer as success. */
  readonly isTimeoutOk: boolean;
  /** Folder that is watched for messages; `undefined`: none. */
  readonly inbox?: string | undefined;
  /** Absent: the run is kept, and can be gone on with. */
  readonly isKept?: boolean;
  /** Where the course is printed. */
  readonly screen: Terminal;
  readonly world: World;
  /** Who watches and how; absent: the lines are printed and nobody is asked. */
  readonly watching?: Watching;
}

export interface Followed {
  readonly state: RunState;
  readonly exitCode: ExitCode;
}

/** Prints a run until it is over, then what came of it, and writes the result where that was asked for. */
export async function followToEnd(handle: RunHandle, course: Course): Promise<Followed> {
  const { way, apply, autoApply, isTimeoutOk, screen, world, isKept = true } = course;
  const { state, refusedCommands } = await watched(handle, course);
  // An interrupt ends the run; what follows only reads, or writes files that were asked for.
  const rest = new AbortController();
  printResult(state, await readDiff(handle, rest.signal), screen);
  const applied = await appliedOf(handle, { apply, autoApply }, rest.signal);
  printClosing(
    { plan: way, state, applied, refusedCommands, isKept, isClone: await isClone(world) },
    { terminal: screen },
  );
  return { state, exitCode: endCode(state, applied, isTimeoutOk) };
}

/** What the user asked for on the command line goes before what the team file says for runs that end well. */
async function appliedOf(
  handle: RunHandle,
  { apply, autoApply }: Pick<Course, 'apply' | 'autoApply'>,
  signal: AbortSignal,
): Promise<readonly ReviewResult[] | undefined> {
  const { outcome } = handle.state();
  if (apply && outcome !== 'cancelled') {
    return applyProposal(handle, signal);
  }
  return autoApply !== undefined && outcome === 'completed'
    ? handle.applyAutomatically(autoApply, signal)
    : undefined;
}

/** The run with the messages that scripts put into its inbox. */
async function watched(handle: RunHandle, course: Course): Promise<Watched> {
  const { screen, inbox: folder, world, watching = { display: 'simple' } } = course;
  const { notes } = world;
  const inbox =
    folder === undefined ? undefined : watchInbox(folder, handle, { clock: systemClock, notes });
  try {
    return await watchRun(handle, { screen, world, watching });
  } finally {
    inbox?.dispose();
  }
}

function endCode(
  state: RunState,
  applied: readonly ReviewResult[] | undefined,
  isTimeoutOk: boolean,
): ExitCode {
  const isIncomplete = applied?.some(
    ({ outcome }) => outcome === 'conflict' || outcome === 'failed',
  );
  const code = exitCodeOf(state, isTimeoutOk);
  return code === exitCodes.done && isIncomplete === true ? exitCodes.failed : code;
}
