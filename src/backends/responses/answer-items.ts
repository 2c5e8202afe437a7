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
  return { calls, kept: withFollowers(withoutLostThoughts(written)) };
}

function isBroken(item: Item, argumentsJson: string, isCut: boolean): boolean {
  return item['status'] === 'incomplete' || (isCut && !isJson(argumentsJson));
}

/**
 * Thoughts that are stored nowhere and did not come in encrypted form cannot be sent back; what followed them loses its
 * id, by which the service would ask for them.
 */
function withoutLostThoughts(items: readonly (Item | undefined)[]): (Item | undefined)[] {
  let isOrphan = false;
  return items.flatMap((item) => {
    if (item?.['type'] === 'reasoning') {
      isOrphan = asText(item['encrypted_content']) === '';
      return isOrphan ? [] : [item];
    }
    if (item === undefined || !isOrphan) {
      return [item];
    }
    const { id: _id, ...rest } = item;
    return [rest];
  });
}

/** Thoughts are refused without the item that they led to. */
function withFollowers(items: readonly (Item | undefined)[]): Item[] {
  const kept: Item[] = [];
  let isFollowed = false;
  for (const item of [...items].reverse()) {
    if (item?.['type'] !== 'reasoning') {
      isFollowed = item !== undefined;
    }
    if (item !== undefined && isFollowed) {
      kept.unshift(item);
    }
  }
  return kept;
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
