import type { SnapshotId } from '../../base/ids';
import { isCancelled, isMassGenError } from '../../core/errors';
import type { Clock } from '../../core/ports/clock';
import type { Logger } from '../../core/ports/logger';
import type { PayloadStore } from '../../core/ports/payload-store';
import type { AgentWorkspace, CommandResult, RunWorkspaces } from '../../core/ports/workspace';
import type { CheckSpec } from '../../run/check-facts';
import type { KeptResult } from './kept-results';

/** A command of a check as the rules for commands of agents see it. */
export interface CheckCommand {
  readonly command: string;
  readonly cwd: string;
  /** `cwd` without what differs between workspaces. */
  readonly neutralCwd: string;
  readonly isConfined: boolean;
}

export interface TreeChecks {
  readonly workspaces: Pick<RunWorkspaces, 'createScratchWorkspace'>;
  readonly payloads: PayloadStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** What holds for commands of agents: allowed, refused, or (`undefined`) a question for a person. */
  readonly decide: (command: CheckCommand) => boolean | undefined;
}

/** What came of a check in a tree. */
export type TreeOutcome =
  | { readonly kind: 'ran'; readonly result: KeptResult }
  /** Nobody allowed its command; `why` is for people. */
  | { readonly kind: 'refused'; readonly why: string }
  /** It could not be begun, or what it left behind could not be looked at. */
  | { readonly kind: 'broken'; readonly why: string };

const tailLength = 2000;
/** Characters of output that are kept as a whole; of more, head and tail. */
const longestOutput = 2_000_000;

/**
 * Runs one check in a workspace of its own that holds the tree (`null`: the folders as a new agent finds them), and
 * removes it. Rejects with `cancelled/*` only.
 */
export async function checkTree(
  parts: TreeChecks,
  spec: CheckSpec,
  tree: SnapshotId | null,
  signal: AbortSignal,
): Promise<TreeOutcome> {
  let workspace: AgentWorkspace | undefined;
  try {
    workspace = await parts.workspaces.createScratchWorkspace(signal);
    if (tree !== null) {
      await workspace.restore(tree, signal);
    }
    const refusal = refusalOf(parts, workspace, spec);
    return refusal === undefined
      ? { kind: 'ran', result: await runIn(parts, workspace, spec, signal) }
      : { kind: 'refused', why: refusal };
  } catch (error) {
    signal.throwIfAborted();
    if (isCancelled(error)) {
      throw error;
    }
    parts.logger.warn('workspace', `the check ${spec.name} could not be run: ${String(error)}`);
    return { kind: 'broken', why: parts.redact(reasonOf(error)) };
  } finally {
    await closed(workspace, parts.logger);
  }
}

async function closed(workspace: AgentWorkspace | undefined, logger: Logger): Promise<void> {
  try {
    await workspace?.close();
  } catch (error) {
    logger.warn('workspace', `the tree of a check was not removed: ${String(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (!isMassGenError(error)) {
    return 'It could not be run.';
  }
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}

/** Why it may not run. A check was chosen by the user, so that inside a confinement only an explicit no counts. */
function refusalOf(
  { decide }: TreeChecks,
  workspace: AgentWorkspace,
  { command, timeoutMs }: CheckSpec,
): string | undefined {
  const { cwd } = workspace.describeCommand({ command, cwd: undefined, timeoutMs });
  const { unconfinedReason } = workspace;
  const isConfined = unconfinedReason === null;
  const neutralCwd = workspace.neutralizePaths(cwd);
  const decision = decide({ command, cwd, neutralCwd, isConfined });
  const isAllowed = decision ?? isConfined;
  if (isAllowed) {
    return undefined;
  }
  return isConfined
    ? 'Commands are switched off or not allowed for this run.'
    : `Its command is not confined here and was not allowed: ${unconfinedReason}`;
}

export function notRun(why: string): KeptResult {
  return {
    status: 'not-run',
    exitCode: null,
    durationMs: 0,
    tail: endOf(why),
    isFlaky: false,
  };
}

/** What can be run on the untouched folders and not on an answer has failed there: else nothing would stand behind it. */
export function brokenHere(why: string): KeptResult {
  const tail = `It could not be run on this answer, although it can on the untouched folders. ${why}`;
  return { ...notRun(tail), status: 'failed' };
}

async function runIn(
  { clock, payloads, redact }: TreeChecks,
  workspace: AgentWorkspace,
  { command, timeoutMs }: CheckSpec,
  signal: AbortSignal,
): Promise<KeptResult> {
  const pieces: string[] = [];
  let length = 0;
  const onOutput = (text: string): void => {
    length += text.length;
    if (length <= longestOutput) {
      pieces.push(text);
    }
  };
  const startedAt = clock.now();
  const result = await workspace.runCommand(
    { command, cwd: undefined, timeoutMs, onOutput },
    signal,
  );
  const isWhole = pieces.length > 0 && length <= longestOutput;
  const shown = isWhole ? pieces.join('') : result.output;
  const output = redact(workspace.neutralizePaths(shown)).trimEnd();
  const tail = endOf(output);
  return {
    status: statusOf(result),
    exitCode: result.exitCode,
    durationMs: Math.max(0, clock.now() - startedAt),
    tail,
    ...(tail === output ? {} : { output: payloads.put(output) }),
    isFlaky: false,
  };
}

function statusOf({ isTimedOut, exitCode }: CommandResult): 'passed' | 'failed' | 'timed-out' {
  if (isTimedOut) {
    return 'timed-out';
  }
  return exitCode === 0 ? 'passed' : 'failed';
}

/** The last lines that are no longer than the limit together; the end of the last line when it alone is longer. */
function endOf(text: string): string {
  if (text.length <= tailLength) {
    return text;
  }
  const end = text.slice(-tailLength).replace(/^[\uDC00-\uDFFF]/, '');
  const firstBreak = end.indexOf('\n');
  return firstBreak < 0 || firstBreak === end.length - 1 ? end : end.slice(firstBreak + 1);
}
