// The calls that end a turn: their schemas, how a model's call becomes an action, and how the engine's reply is worded.
import type { SnapshotId } from '../../base/ids';
import { parseLabel } from '../../base/ids';
import type { FileChange } from '../../run/facts';
import type { RawAction, Toolset, WorkflowReply } from '../coordination/inputs';
import type { ToolCall, ToolCallResult, ToolSpec } from '../ports/model-backend';
import { parseArguments } from './tool-arguments';

const names: ReadonlySet<string> = new Set(['new_answer', 'vote']);

export function isWorkflowTool(name: string): boolean {
  return names.has(name);
}

/** State of the files that goes with an answer; taken before the answer is reported. */
export interface AnswerFiles {
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
}

export function workflowSpecs(toolset: Toolset): readonly ToolSpec[] {
  return [
    ...(toolset.hasNewAnswer ? [newAnswerSpec] : []),
    ...(toolset.hasVote ? [voteSpec(toolset)] : []),
  ];
}

export const newAnswerSpec: ToolSpec = {
  name: 'new_answer',
  description:
    'Submit your complete answer to the task. It is shown to the other agents together with the present state of your files. Ends your turn.',
  inputSchema: {
    type: 'object',
    properties: {
      content: {
        type: 'string',
        description: 'The whole answer in Markdown; it must stand on its own.',
      },
    },
    required: ['content'],
    additionalProperties: false,
  },
};

function voteSpec(toolset: Toolset): ToolSpec {
  const slots = [...new Set(toolset.targets.map(slotName))].sort();
  const target = slots.length === 0 ? { type: 'string' } : { type: 'string', enum: slots };
  return {
    name: 'vote',
    description: 'Vote for the best of the answers you were shown. Ends your turn.',
    inputSchema: {
      type: 'object',
      properties: {
        agent_id: { ...target, description: 'The agent whose answer you vote for.' },
        reason: { type: 'string', description: 'Why, in one sentence.' },
        approve: {
          type: 'array',
          items: target,
          description: 'Further answers that would do as well, if any.',
        },
        abstain: {
          type: 'boolean',
          description: 'True when you cannot judge; the agent named is then not counted.',
        },
      },
      required: ['agent_id', 'reason'],
      additionalProperties: false,
    },
  };
}

function slotName(label: string): string {
  const parsed = parseLabel(label);
  return parsed === undefined ? label : `agent${parsed.slot}`;
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
  return {
    kind: 'vote',
    toolCallId,
    target: textOf(input['agent_id']).trim(),
    reason: oneLine(neutralize(textOf(input['reason']))),
    approve: listOf(input['approve']),
    isAbstention: input['abstain'] === true,
  };
}

/** What `new_answer` carries, `undefined` when its arguments cannot be read. */
export function answerText(call: ToolCall): string | undefined {
  const parsed = parseArguments(call.argumentsJson);
  return parsed.kind === 'malformed' ? undefined : textOf(parsed.input['content']);
}

export function replyResult(
  call: ToolCall,
  reply: WorkflowReply | undefined,
  toolset: Toolset,
): ToolCallResult {
  const status = reply?.status ?? 'rejected';
  const targets = toolset.hasVote ? toolset.targets : [];
  const text = JSON.stringify({
    status,
    ...(reply?.code === undefined ? {} : { code: reply.code }),
    message: reply?.message ?? 'This call had no effect.',
    allowed_now: workflowSpecs(toolset).map((spec) => spec.name),
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
