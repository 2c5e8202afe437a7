// The items of one answer: which of them are calls, and which go back with the next request.
import { sha256Hex } from '../../base/sha256';
import type { StepKey, ToolCall } from '../../core/ports/model-backend';
import { asText, isJson } from '../wire/json-reading';
import type { ToolNames } from '../wire/tool-names';
import type { Item } from './service';

export interface ReadAnswer {
  readonly calls: readonly ToolCall[];
  /** As the service wrote them, but for what could not be sent back; empty when nothing can. */
  readonly kept: readonly Item[];
}

export interface AnswerContext {
  readonly step: StepKey;
  /** Ids of earlier calls of the conversation. */
  readonly usedIds: ReadonlySet<string>;
  readonly names: ToolNames;
  /** The answer has come to its limit. */
  readonly isCut: boolean;
}

/** `items`: in order and whole, arguments filled in. */
export function readAnswer(items: readonly Item[], context: AnswerContext): ReadAnswer {
  const used = new Set(context.usedIds);
  const calls: ToolCall[] = [];
  const written = items.map((item): Item | undefined => {
    if (item['type'] !== 'function_call') {
      return item;
    }
    const argumentsJson = asText(item['arguments']).trim();
    if (isBroken(item, argumentsJson, context.isCut)) {
      return undefined;
    }
    const said = asText(item['call_id']);
    const isFit = said !== '' && said.length <= 64 && !used.has(said);
    const id = isFit ? said : newId(context.step, calls.length, used);
    used.add(id);
    const name = context.names.fromWire(asText(item['name']));
    calls.push({ id, name, argumentsJson: argumentsJson === '' ? '{}' : argumentsJson });
    return id === said ? item : { ...item, call_id: id };
  });
  return { calls, kept: sendable(written) };
}

function isBroken(item: Item, argumentsJson: string, isCut: boolean): boolean {
  return item['status'] === 'incomplete' || (isCut && !isJson(argumentsJson));
}

/** Thoughts in a row, and what they led to up to the next ones; `undefined` stands for an item that cannot go back. */
interface Stretch {
  readonly thoughts: Item[];
  readonly followers: (Item | undefined)[];
}

/**
 * Thoughts are refused without an item that they led to, and items with an id without all the thoughts that led to them.
 * Those that are stored nowhere and did not come in encrypted form cannot be sent back; what followed them loses its id.
 */
function sendable(items: readonly (Item | undefined)[]): Item[] {
  return stretches(items).flatMap(({ thoughts, followers }) => {
    const kept = followers.filter((item) => item !== undefined);
    const readable = thoughts.filter((item) => asText(item['encrypted_content']) !== '');
    if (readable.length < thoughts.length) {
      return [...(kept.length === 0 ? [] : readable), ...kept.map(withoutId)];
    }
    return kept.length === 0 ? [] : [...thoughts, ...kept];
  });
}

function stretches(items: readonly (Item | undefined)[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const item of items) {
    const last = found.at(-1);
    const isThought = item?.['type'] === 'reasoning';
    if (isThought && (last === undefined || last.followers.length > 0)) {
      found.push({ thoughts: [item], followers: [] });
    } else if (isThought) {
      last?.thoughts.push(item);
    } else if (last === undefined) {
      found.push({ thoughts: [], followers: [item] });
    } else {
      last.followers.push(item);
    }
  }
  return found;
}

function withoutId({ id: _id, ...rest }: Item): Item {
  return rest;
}

function newId(step: StepKey, position: number, used: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const place = [step.attempt, step.slot, step.turnNo, step.call, position, attempt].join('/');
    const id = `call_${sha256Hex(place).slice(0, 24)}`;
    if (!used.has(id)) {
      return id;
    }
  }
}
