// How a model's workflow call becomes an action of the engine, and how the engine's reply is worded.
import type { SnapshotId } from '../../base/ids';
import type { FileChange } from '../../run/facts';
import type { Finding, RawAction, Toolset, WorkflowReply } from '../coordination/inputs';
import type { TurnInput } from '../ports/agent-runtime';
import type { ToolCall, ToolCallResult } from '../ports/model-backend';
import { parseArguments } from './tool-arguments';
import { openTools } from './workflow-specs';

/** State of the files that goes with an answer; taken before the answer is reported. */
export interface AnswerFiles {
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
  /** Taken while a command still ran, so that files may be half written; absent: no. */
  readonly isUnsettled?: boolean;
}

/** `neutralize` takes the author's own paths out of a text that others will read. */
export function toAction(
  call: ToolCall,
  files: AnswerFiles,
  neutralize: (text: string) => string,
): RawAction {
  const toolCallId = call.id;
  const parsed = parseArguments(call.argumentsJson);
  if (parsed.kind === 'malformed') {
    return { kind: 'bad_arguments', toolCallId, name: call.name };
  }
  const input = parsed.input;
  if (call.name === 'new_answer') {
    const content = neutralize(textOf(input['content']));
    return { kind: 'new_answer', toolCallId, content, ...files };
  }
  if (call.name === 'stop') {
    const status = input['status'] === 'blocked' ? 'blocked' : 'complete';
    return { kind: 'stop', toolCallId, summary: neutralize(textOf(input['summary'])), status };
  }
  return {
    kind: 'vote',
    toolCallId,
    target: textOf(input['agent_id']).trim(),
    reason: oneLine(neutralize(textOf(input['reason']))),
    approve: listOf(input['approve']),
    isAbstention: input['abstain'] === true,
  };
}

/** What an evaluator's call says; arguments that cannot be read confirm nothing and restart nothing. */
export function toFindings(
  call: ToolCall,
  neutralize: (text: string) => string,
): readonly Finding[] {
  const toolCallId = call.id;
  const parsed = parseArguments(call.argumentsJson);
  const input = parsed.kind === 'malformed' ? undefined : parsed.input;
  if (call.name === 'submit') {
    return [{ kind: 'submit', toolCallId, isConfirmed: input?.['confirmed'] === true }];
  }
  return input === undefined
    ? []
    : [
        {
          kind: 'restart',
          toolCallId,
          reason: neutralize(textOf(input['reason'])),
          instructions: neutralize(textOf(input['instructions'])),
        },
      ];
}

/** What `new_answer` carries, `undefined` when its arguments cannot be read. */
export function answerText(call: ToolCall): string | undefined {
  const parsed = parseArguments(call.argumentsJson);
  return parsed.kind === 'malformed' ? undefined : textOf(parsed.input['content']);
}

export function replyResult(
  call: ToolCall,
  reply: WorkflowReply | undefined,
  { purpose, toolset }: { readonly purpose: TurnInput['purpose']; readonly toolset: Toolset },
): ToolCallResult {
  const status = reply?.status ?? 'rejected';
  const targets = toolset.hasVote ? toolset.targets : [];
  const text = JSON.stringify({
    status,
    ...(reply?.code === undefined ? {} : { code: reply.code }),
    message: reply?.message ?? 'This call had no effect.',
    allowed_now: openTools(purpose, toolset),
    ...(targets.length === 0 ? {} : { targets }),
  });
  return { toolCallId: call.id, name: call.name, text, isError: status === 'rejected' };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
