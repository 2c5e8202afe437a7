import type { SnapshotId } from '../../base/ids';
import { wellFormed } from '../../base/text';
import type { ToolCallEnded } from '../../run/call-events';
import type { ObservedEvent } from '../../run/events';
import { isCancelled } from '../errors';
import type { Logger } from '../ports/logger';
import type { ToolCall, ToolCallResult } from '../ports/model-backend';
import type { PayloadStore } from '../ports/payload-store';
import type { Tool, ToolContext, ToolResult } from '../ports/tool';
import type { EffectJournal } from './effect-journal';
import { isAboutOwnFile, keepLong } from './long-result';
import type { StepJournal, ToolOutcome } from './steps';
import { parseArguments } from './tool-arguments';

const previewChars = 2_000;

/** Reads that run side by side; more would only contend for the same disk. */
const widestGroup = 8;

/** A call with its place in the response. */
export interface PlacedCall {
  readonly call: ToolCall;
  readonly index: number;
}

export interface ToolRound {
  /** Those that may be used now, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Names of those that are closed until an answer is chosen. */
  readonly closed: readonly string[];
  /** The turn has had its time: all of them are refused. */
  readonly isOver: boolean;
  /** Keeps calls with an effect outside; absent where none is made. */
  readonly effects: EffectJournal | undefined;
  readonly context: ToolContext;
  readonly at: { readonly slot: number; readonly turnNo: number; readonly call: number };
  readonly observe: (event: ObservedEvent) => void;
  readonly steps: StepJournal;
  readonly payloads: PayloadStore;
  readonly redact: (text: string) => string;
  /** Keeps the agent's files as they are now; `undefined` when that is not possible. */
  readonly freeze: (signal: AbortSignal) => Promise<SnapshotId | undefined>;
  readonly logger: Logger;
}

/**
 * Runs calls of one response and answers each with exactly one result, in the same order. Neighbours that only read
 * run side by side, everything else alone. Whatever goes wrong in a tool becomes a result that the model can read;
 * rejects only with `cancelled/*`.
 */
export async function runCalls(
  round: ToolRound,
  calls: readonly PlacedCall[],
  signal: AbortSignal,
): Promise<readonly ToolCallResult[]> {
  const results: ToolCallResult[] = [];
  for (const group of groups(round, calls)) {
    signal.throwIfAborted();
    const settled = await Promise.allSettled(group.map((placed) => runCall(round, placed, signal)));
    for (const one of settled) {
      if (one.status === 'rejected') {
        throw one.reason instanceof Error ? one.reason : new Error(String(one.reason));
      }
      results.push(one.value);
    }
  }
  signal.throwIfAborted();
  return results;
}

function groups(round: ToolRound, calls: readonly PlacedCall[]): readonly PlacedCall[][] {
  const found: PlacedCall[][] = [];
  let wasRead = false;
  for (const placed of calls) {
    const isRead = round.tools.get(placed.call.name)?.access === 'read';
    const last = found.at(-1);
    if (isRead && wasRead && last !== undefined && last.length < widestGroup) {
      last.push(placed);
    } else {
      found.push([placed]);
    }
    wasRead = isRead;
  }
  return found;
}

async function runCall(
  round: ToolRound,
  { call, index }: PlacedCall,
  signal: AbortSignal,
): Promise<ToolCallResult> {
  const tool = round.tools.get(call.name);
  const parsed = parseArguments(call.argumentsJson);
  const subject = tool === undefined ? '' : subjectOf(tool, call);
  const where = { ...round.at, index, tool: call.name };
  round.observe({ type: 'tool-call-started', ...where, subject });
  let outcome: ToolOutcome = { result: { text: 'The call was stopped.', isError: true } };
  try {
    if (tool === undefined) {
      outcome = { result: refused(call, round) };
    } else if (round.closed.includes(call.name)) {
      outcome = { result: closed(call) };
    } else if (parsed.kind === 'malformed') {
      const text = `${parsed.problem} Call ${call.name} again.`;
      outcome = { result: { text, isError: true } };
    } else {
      const make = async (): Promise<ToolOutcome> => perform(round, tool, parsed.input, signal);
      outcome = await round.steps.tool({ ...round.at, index }, make, signal);
    }
  } finally {
    round.observe({ type: 'tool-call-ended', ...where, ...endOf(round, outcome) });
  }
  const { result } = outcome;
  const { text, isError } = result;
  const media = result.media === undefined ? {} : { media: result.media };
  return { toolCallId: call.id, name: call.name, text, isError, ...media };
}

function refused(call: ToolCall, round: ToolRound): ToolResult {
  if (round.isOver) {
    const text = `${call.name} cannot be used any more: this turn has had its time. Finish with what you have.`;
    return { text, isError: true };
  }
  const usable = [...round.tools.keys()];
  const hint =
    usable.length === 0 ? 'No such tools can be used now.' : `You can use: ${usable.join(', ')}.`;
  return { text: `There is no tool "${call.name}" that you can use now. ${hint}`, isError: true };
}

function closed({ name }: ToolCall): ToolResult {
  const text = `${name} is closed until an answer is chosen: its effect could not be taken back. Describe in your answer what is to be done with it, and go on without it.`;
  return { text, isError: true };
}

/** What the log keeps of a result: its beginning, and the whole of it beside the log when that is more. */
function endOf(
  { payloads, redact }: ToolRound,
  { result, filesAfter }: ToolOutcome,
): Pick<ToolCallEnded, 'isError' | 'preview' | 'outputBytes' | 'result' | 'media' | 'filesAfter'> {
  const text = redact(result.text);
  const { media = [] } = result;
  return {
    isError: result.isError,
    preview: text.slice(0, previewChars),
    outputBytes: new TextEncoder().encode(text).byteLength,
    ...(text.length > previewChars ? { result: payloads.put(text) } : {}),
    ...(media.length === 0 ? {} : { media: payloads.put(redact(JSON.stringify(media))) }),
    ...(filesAfter === undefined ? {} : { filesAfter }),
  };
}

async function perform(
  round: ToolRound,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const make = async (): Promise<ToolResult> => runTool(round, tool, input, signal);
  const given =
    tool.effect === 'external' && round.effects !== undefined
      ? await round.effects.run({ tool: tool.name, input }, make, signal)
      : await make();
  const { workspace } = round.context;
  const isOwnFile = isAboutOwnFile(tool, input);
  const { text, whole } = given;
  const sound = {
    ...given,
    text: wellFormed(text),
    ...(whole === undefined ? {} : { whole: wellFormed(whole) }),
  };
  const { result, isKept } = await keepLong(sound, { workspace, isOwnFile }, signal);
  const mayHaveChanged = isKept || tool.access === 'write' || tool.access === 'execute';
  const filesAfter = mayHaveChanged && !signal.aborted ? await round.freeze(signal) : undefined;
  return filesAfter === undefined ? { result } : { result, filesAfter };
}

async function runTool(
  round: ToolRound,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return await tool.run(input, round.context, signal);
  } catch (error) {
    if (signal.aborted || isCancelled(error)) {
      throw error;
    }
    // A tool must not reject; the agent can go on all the same, so its run does not end with the bug.
    round.logger.error('tool', `${tool.name} broke`, error);
    return { text: `The tool failed inside${systemCode(error)}.`, isError: true };
  }
}

/** Only the code: the message of a system error names places that are not for the model. */
function systemCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? ` (${code})` : '';
}

function subjectOf(tool: Tool, call: ToolCall): string {
  const parsed = parseArguments(call.argumentsJson);
  return parsed.kind === 'malformed' ? '' : tool.subjectOf(parsed.input);
}
