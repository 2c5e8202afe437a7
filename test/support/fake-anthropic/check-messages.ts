// Messages: their roles and their order, and that every call has its result in its place.
import { checkContent } from './check-content';
import type { ModelRules } from './model-rules';
import { type Json, type Refusal, firstRefusal, invalid, isObject, unknownMember } from './refusal';
import { type Conversation, type Turn, signatureFault } from './signatures';

export function checkMessages(messages: unknown): Refusal | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return invalid('messages: at least one message is required');
  }
  for (const [i, message] of messages.entries()) {
    const path = `messages.${i}`;
    const role = isObject(message) ? message['role'] : undefined;
    if (!isObject(message) || (role !== 'user' && role !== 'assistant')) {
      return invalid(`${path}: Unexpected role "${String(role)}".`);
    }
    const refusal =
      unknownMember(message, ['role', 'content'], path) ??
      checkContent(role, message['content'], `${path}.content`);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return isObject(messages[0]) && messages[0]['role'] === 'user'
    ? undefined
    : invalid('messages: first message must use the "user" role');
}

export function checkOrder(conversation: Conversation, rules: ModelRules): Refusal | undefined {
  const { turns } = conversation;
  return firstRefusal([
    () => checkIds(turns),
    ...turns.map((_turn, i) => () => checkPairs(turns, i)),
    () => checkLast(turns, rules),
  ]);
}

function checkIds(turns: readonly Turn[]): Refusal | undefined {
  const ids = turns
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === 'tool_use' || type === 'server_tool_use')
    .map(({ id }) => id);
  return new Set(ids).size === ids.length
    ? undefined
    : invalid('messages: `tool_use` ids must be unique');
}

function checkPairs(turns: readonly Turn[], i: number): Refusal | undefined {
  const turn = turns[i];
  if (turn === undefined || turn.role === 'assistant') {
    return turn === undefined ? undefined : checkServerTools(turns, i);
  }
  const results = turn.content.filter(({ type }) => type === 'tool_result');
  const answered = results.map((block) => block['tool_use_id']);
  const asked = idsOf(turns[i - 1]);
  const orphan = answered.find((id) => !asked.includes(id));
  if (orphan !== undefined) {
    return invalid(
      `messages.${i}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${typeof orphan === 'string' ? orphan : ''}`,
    );
  }
  if (new Set(answered).size < answered.length) {
    return invalid(`messages.${i}.content: each tool_use must have a single result`);
  }
  const isFirst = turn.content.slice(0, results.length).every(({ type }) => type === 'tool_result');
  const open = asked.filter((id) => !answered.includes(id));
  return open.length > 0 || !isFirst
    ? invalid(
        `messages.${i - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${asked.join(', ')}`,
      )
    : undefined;
}

function checkServerTools(turns: readonly Turn[], i: number): Refusal | undefined {
  const content = turns[i]?.content ?? [];
  const answered = content.map((block) => block['tool_use_id']);
  const open = content.find(({ type, id }) => type === 'server_tool_use' && !answered.includes(id));
  return open === undefined || i === turns.length - 1
    ? undefined
    : invalid(`messages.${i}: \`server_tool_use\` was found without its result`);
}

function checkLast(turns: readonly Turn[], rules: ModelRules): Refusal | undefined {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') {
    return undefined;
  }
  if (idsOf(last).length > 0) {
    return invalid('messages: `tool_use` ids were found without `tool_result` blocks');
  }
  const isPaused = last.content.some(({ type }) => type === 'server_tool_use');
  if (!rules.takesPrefill && !isPaused) {
    return invalid(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  const text = last.content.at(-1)?.['text'];
  return typeof text === 'string' && text !== text.trimEnd()
    ? invalid('messages: final assistant content cannot end with trailing whitespace')
    : undefined;
}

/** Thoughts must be what the model wrote, and stand where it wrote them. */
export function checkThoughts(
  conversation: Conversation,
  rules: ModelRules,
  mayDrop: boolean,
): Refusal | undefined {
  const { turns } = conversation;
  const latest = turns.findLastIndex(({ role }) => role === 'assistant');
  for (const [i, turn] of turns.entries()) {
    for (const [k, block] of turn.content.entries()) {
      const fault = block['type'] === 'thinking' ? signatureFault(conversation, i, k) : undefined;
      if (fault === 'edited') {
        return i === latest
          ? invalid(
              `messages.${i}.content.${k}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified.`,
            )
          : invalid(`messages.${i}.content.${k}: Invalid \`signature\` in \`thinking\` block`);
      }
      if (fault === 'moved' && rules.isBound && !mayDrop) {
        return invalid(
          `messages.${i}.content.${k}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
        );
      }
    }
  }
  return undefined;
}

/** With a budget, the assistant's part of an open round of calls must begin with a thought. */
export function checkOpenRound(turns: readonly Turn[]): Refusal | undefined {
  const start = turns.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const first = turns[start + 1]?.content[0]?.['type'];
  return first === undefined || first === 'thinking' || first === 'redacted_thinking'
    ? undefined
    : invalid(
        `messages.${start + 1}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${typeof first === 'string' ? first : ''}\`.`,
      );
}

function idsOf(turn: Turn | undefined): readonly unknown[] {
  return (turn?.content ?? []).filter(isCall).map(({ id }) => id);
}

function isCall(block: Json): boolean {
  return block['type'] === 'tool_use';
}
