import type { BackendPart } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { Item } from './service';

type Kind = 'text' | 'refusal' | 'thinking';

interface Place {
  readonly kind: Kind;
  /** Of the item; one for text and refusal, one for thinking. */
  readonly item: string;
  /** Of the part in the item. */
  readonly part: string;
}

/** Texts of one answer: each piece passed on once, although it comes in deltas, as a whole part and in its item. */
export class TextFlow {
  readonly #lengths = new Map<string, number>();
  /** Items by what their events name them: a number, or an id where there is none. */
  readonly #seen = new Set<string>();
  /** The part that wrote last, for each of what people see. */
  readonly #last = new Map<Kind, string>();
  #length = 0;
  #refusal = '';

  /** Characters so far. */
  get length(): number {
    return this.#length;
  }

  /** What the model says instead of an answer. */
  get refusal(): string {
    return this.#refusal;
  }

  get hasText(): boolean {
    return this.#last.has('text');
  }

  /** A `*.delta` event. */
  delta(event: Item): readonly BackendPart[] {
    return this.#add(placeOf(event), asText(event['delta']));
  }

  /** A `*.done` event, with the whole text of a part. */
  whole(event: Item): readonly BackendPart[] {
    return this.#rest(placeOf(event), asText(event['text']) || asText(event['refusal']));
  }

  /** A finished item at this place of the answer. */
  item(item: Item, at: number): readonly BackendPart[] {
    const id = asText(item['id']);
    const index = this.#seen.has(id) ? id : String(at);
    const parts = asArray(item['content']).flatMap((one, part) => {
      const content = asObject(one);
      return this.#rest(
        { kind: kindOf(asText(content?.['type'])), item: index, part: String(part) },
        asText(content?.['text']) || asText(content?.['refusal']),
      );
    });
    const summaries = asArray(item['summary']).flatMap((one, part) =>
      this.#rest(
        { kind: 'thinking', item: index, part: `summary ${part}` },
        asText(asObject(one)?.['text']),
      ),
    );
    return [...summaries, ...parts];
  }

  #rest(place: Place, text: string): readonly BackendPart[] {
    return this.#add(place, text.slice(this.#lengths.get(keyOf(place)) ?? 0));
  }

  #add(place: Place, text: string): readonly BackendPart[] {
    if (text === '') {
      return [];
    }
    const key = keyOf(place);
    this.#seen.add(place.item);
    this.#lengths.set(key, (this.#lengths.get(key) ?? 0) + text.length);
    this.#length += text.length;
    if (place.kind === 'refusal') {
      this.#refusal += text;
      return [];
    }
    const last = this.#last.get(place.kind);
    this.#last.set(place.kind, key);
    // Several messages or summaries of one answer are paragraphs of their own.
    const whole = last === undefined || last === key ? text : `\n\n${text}`;
    return [{ type: place.kind === 'text' ? 'text-delta' : 'thinking-delta', text: whole }];
  }
}

function keyOf({ kind, item, part }: Place): string {
  return [kind, item, part].join('/');
}

/** Of an event such as `response.output_text.delta`. */
function placeOf(event: Item): Place {
  const type = asText(event['type']);
  const index = event['output_index'];
  const item = typeof index === 'number' ? String(index) : asText(event['item_id']);
  const summary = event['summary_index'];
  const part = event['content_index'];
  return {
    kind: kindOf(type),
    item,
    part:
      typeof summary === 'number'
        ? `summary ${summary}`
        : typeof part === 'number'
          ? String(part)
          : '0',
  };
}

/** By the type of an event or of a part. */
function kindOf(type: string): Kind {
  if (type.includes('reasoning')) {
    return 'thinking';
  }
  return type.includes('refusal') ? 'refusal' : 'text';
}
