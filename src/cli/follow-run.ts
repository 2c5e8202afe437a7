import type { RunConfig, RunHandle } from '../app/app-contract';
import { onAbort } from '../base/abort';
import type { RunState } from '../run/state';
import { printClosing, type Way } from './closing';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes';
import { isClone } from './plan';
import { applyProposal, readDiff, type ReviewResult } from './proposal';
import { watchInbox } from './inbox';
import { printResult } from './result-printer';
import { RunPrinter } from './run-printer';
import { systemClock } from './system-clock';
import type { Terminal } from './terminal';
import type { World } from './world';

export interface Course {
  readonly way: Way;
  /** Write the result into the project. */
  readonly apply: boolean;
  /** The team file asks for it without a word on the command line. */
  readonly autoApply?: RunConfig['autoApply'] | undefined;
  /** The team file counts a deadline that was hit with an answer as success. */
  readonly isTimeoutOk: boolean;
  /** Where the course is printed. */
  readonly screen: Terminal;
  readonly world: World;
}

export interface Followed {
  readonly state: RunState;
  readonly exitCode: ExitCode;
}

/** Prints a run until it is over, then what came of it, and writes the result where that was asked for. */
export async function followToEnd(
  handle: RunHandle,
  { way, apply, autoApply, isTimeoutOk, screen, world }: Course,
): Promise<Followed> {
  const { state, refusedCommands } = await watchRun(handle, screen, world);
  // An interrupt ends the run; what follows only reads, or writes files that were asked for.
  const rest = new AbortController();
  printResult(state, await readDiff(handle, rest.signal), screen);
  const applied = await appliedOf(handle, { apply, autoApply }, rest.signal);
  printClosing(
    { plan: way, state, applied, refusedCommands, isClone: await isClone(world) },
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

/** An interrupt stops the run and waits for its end. */
async function watchRun(
  handle: RunHandle,
  screen: Terminal,
  { interrupted, notes }: World,
): Promise<{ readonly state: RunState; readonly refusedCommands: number }> {
  const printer = new RunPrinter(screen);
  const listening = handle.onEvents((events, state) => printer.update(events, state));
  printer.update([], handle.state());
  const inbox = watchInbox(handle, { clock: systemClock, notes });
  const stopping = onAbort(interrupted, () => {
    notes.write('\nStopping; press Ctrl+C again to leave at once.\n');
    handle.stop();
  });
  const state = await handle.ended;
  inbox.dispose();
  stopping.dispose();
  listening.dispose();
  printer.update([], state);
  return { state, refusedCommands: printer.refusedCommands };
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
