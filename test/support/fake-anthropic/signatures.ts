// Signatures of thinking: a hash of the thought, and of everything before it where the model binds it to that.
import { createHash } from 'node:crypto';
import { type Json, isObject, listOf } from './refusal';

export interface Turn {
  readonly role: string;
  readonly content: readonly Json[];
}

/** A request without what may change from one to the next: marks of caches, and how messages of one role are divided. */
export interface Conversation {
  readonly model: string;
  readonly system: unknown;
  readonly tools: unknown;
  readonly turns: readonly Turn[];
}

export function conversationOf(body: Json): Conversation {
  const turns: { role: string; content: Json[] }[] = [];
  for (const message of listOf(body['messages']).filter(isObject)) {
    const role = String(message['role']);
    const content = blocksOf(message['content']);
    const last = turns.at(-1);
    if (last?.role === role) {
      last.content.push(...content);
    } else {
      turns.push({ role, content: [...content] });
    }
  }
  const { system = [], tools = [] } = body;
  return {
    ...{ model: String(body['model']), turns },
    ...{ system: blocksOf(system), tools: withoutMarks(tools) },
  };
}

/** The signature of a thought that stands after `before` in the last turn of the assistant. */
export function signatureOf(
  conversation: Conversation,
  before: readonly Json[],
  thought: string,
): string {
  const last = conversation.turns.at(-1);
  const goesOn = last?.role === 'assistant';
  const turns = goesOn ? conversation.turns.slice(0, -1) : conversation.turns;
  return signed(conversation, turns, [...(goesOn ? last.content : []), ...before], thought);
}

export type SignatureFault = 'edited' | 'moved';

/** What is wrong with a thought at this place; a thought of another model is passed over. */
export function signatureFault(
  conversation: Conversation,
  turn: number,
  block: number,
): SignatureFault | undefined {
  const content = conversation.turns[turn]?.content ?? [];
  const thought = content[block] ?? {};
  const before = conversation.turns.slice(0, turn);
  const right = signed(conversation, before, content.slice(0, block), String(thought['thinking']));
  const written = String(thought['signature']);
  const [model, place, text] = written.split('.');
  const [ownModel, ownPlace, ownText] = right.split('.');
  if (text === undefined || (text !== ownText && model === ownModel)) {
    return 'edited';
  }
  return model === ownModel && place !== ownPlace ? 'moved' : undefined;
}

function signed(
  { model, system, tools }: Conversation,
  turns: readonly Turn[],
  before: readonly Json[],
  thought: string,
): string {
  const place = [system, tools, turns, before.filter(hasWords)];
  return [hash(model), hash(canonical(place)), hash(thought)].join('.');
}

/** The service does not count texts without a letter, which it sends but does not take. */
function hasWords(block: Json): boolean {
  return block['type'] !== 'text' || String(block['text']).trim() !== '';
}

function blocksOf(content: unknown): readonly Json[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return listOf(withoutMarks(blocks)).filter(isObject);
}

function withoutMarks(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === 'cache_control' ? undefined : member,
  );
  return JSON.parse(text);
}

/** JSON whose members have a fixed order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}
