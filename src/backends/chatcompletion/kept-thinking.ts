// What a service wants back with the next request beside text and calls: its thinking, and marks on its calls.
import type { ToolCall, Verbatim } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { ThinkingBack } from './services';

type Json = Readonly<Record<string, unknown>>;

/** The content of a `Verbatim` of this protocol. */
export interface KeptThinking {
  readonly reasoningContent: string;
  readonly reasoningDetails: readonly unknown[];
  /** `extra_content` by the id of its call. */
  readonly marks: Readonly<Record<string, unknown>>;
}

/** Gathers it from the deltas of one answer. */
export class ThinkingKeeper {
  #content = '';
  readonly #details: Record<string, unknown>[] = [];

  add(delta: Json): void {
    this.#content += asText(delta['reasoning_content']);
    for (const piece of asArray(delta['reasoning_details'])) {
      this.#addDetail(asObject(piece));
    }
  }

  /** Characters so far. */
  get length(): number {
    return this.#content.length;
  }

  /** `undefined` when there is nothing to keep. */
  toVerbatim(
    origin: string,
    calls: readonly { readonly call: ToolCall; readonly mark: unknown }[],
  ): Verbatim | undefined {
    const marks = Object.fromEntries(
      calls.flatMap(({ call, mark }) => (mark === undefined ? [] : [[call.id, mark]])),
    );
    const isEmpty =
      this.#content === '' && this.#details.length === 0 && Object.keys(marks).length === 0;
    const content: KeptThinking = {
      ...{ reasoningContent: this.#content, reasoningDetails: this.#details, marks },
    };
    return isEmpty ? undefined : { origin, content };
  }

  /** Pieces of one block share an index and a type; their texts belong together. */
  #addDetail(piece: Json | undefined): void {
    if (piece === undefined) {
      return;
    }
    const last = this.#details.at(-1);
    const isSame =
      last !== undefined && last['index'] === piece['index'] && last['type'] === piece['type'];
    if (!isSame) {
      this.#details.push({ ...piece });
      return;
    }
    for (const [name, value] of Object.entries(piece)) {
      last[name] = grown(name, last[name], value);
    }
  }
}

const growing: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

function grown(name: string, before: unknown, piece: unknown): unknown {
  if (growing.has(name) && typeof before === 'string' && typeof piece === 'string') {
    return before + piece;
  }
  return piece ?? before;
}

/** What was kept of an answer of `origin`; `undefined` for one of another service or model. */
export function keptOf(verbatim: Verbatim | undefined, origin: string): KeptThinking | undefined {
  if (verbatim?.origin !== origin) {
    return undefined;
  }
  const content = asObject(verbatim.content);
  return {
    reasoningContent: asText(content?.['reasoningContent']),
    reasoningDetails: asArray(content?.['reasoningDetails']),
    marks: asObject(content?.['marks']) ?? {},
  };
}

/** Members of an assistant message that give the thinking back. */
export function thinkingMembers(
  kept: KeptThinking | undefined,
  how: ThinkingBack,
  { refused, hasCalls }: { readonly refused: ReadonlySet<string>; readonly hasCalls: boolean },
): Json {
  const content = kept?.reasoningContent ?? '';
  const details = kept?.reasoningDetails ?? [];
  switch (how) {
    case 'never':
      return {};
    case 'reasoning_details':
      return details.length === 0 || refused.has(how) ? {} : { reasoning_details: details };
    case 'reasoning_content':
      // Refuses a call without it; an empty one will do for calls of other models.
      return hasCalls || content !== '' ? { reasoning_content: content } : {};
    case 'if-taken':
      return content === '' || refused.has('reasoning_content')
        ? {}
        : { reasoning_content: content };
  }
}
