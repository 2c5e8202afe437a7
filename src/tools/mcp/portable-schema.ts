// Schemas of servers in the few words that every service understands.
import { clip } from '../../base/text';
import type { JsonSchema } from '../../core/ports/model-backend';
import {
  inShort,
  listOf,
  type Members,
  membersOf,
  optionsOf,
  typeOf,
  valuesOf,
  visible,
  withoutOptions,
  withRest,
} from './schema-parts';

const deepest = 10;
const mostParts = 1_000;
const mostWords = 20_000;
const longestDescription = 1_000;
/** Of the values of one choice together. */
const longestChoice = 4_000;
const legalMember = /^[A-Za-z0-9_.-]{1,64}$/;

/** Rules that some services refuse; the model reads them as words instead. The server checks them itself. */
const rules: Readonly<Record<string, string>> = {
  default: 'default',
  format: 'format',
  pattern: 'pattern',
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
  multipleOf: 'multiple of',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
};

/** An object with typed members; of what is too large or too deep the outer parts remain. Never throws. */
export function portableSchema(schema: unknown): JsonSchema {
  const part = new Rewriter(schema).rewrite(schema, 0, []);
  const members = membersOf(part['properties']) ?? {};
  const needed = listOf(part['required']);
  const required = needed === undefined ? {} : { required: needed };
  const description =
    typeof part['description'] === 'string' ? { description: part['description'] } : {};
  return { type: 'object', ...description, properties: members, ...required };
}

class Rewriter {
  readonly #root: unknown;
  #partsLeft = mostParts;
  #wordsLeft = mostWords;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** `within`: references that lead here. */
  rewrite(schema: unknown, depth: number, within: readonly string[]): Members {
    const given = membersOf(schema);
    this.#partsLeft -= 1;
    if (given === undefined || depth > deepest || this.#partsLeft < 0) {
      return {};
    }
    const reference = given['$ref'];
    if (typeof reference === 'string') {
      const target = within.includes(reference) ? undefined : this.#find(reference);
      const own = this.#describe(given);
      return { ...this.rewrite(target, depth + 1, [...within, reference]), ...own };
    }
    const merged = this.#merged(given);
    const options = optionsOf(merged);
    if (options !== undefined) {
      return this.#choice(merged, options, { depth, within });
    }
    return { ...this.#typed(merged, { depth, within }), ...this.#describe(merged) };
  }

  #choice(given: Members, options: readonly unknown[], at: Place): Members {
    const rest = withoutOptions(given);
    const rewritten = options
      .filter((option) => membersOf(option)?.['type'] !== 'null')
      .map((option) => this.rewrite(withRest(rest, option), at.depth + 1, at.within));
    const [only] = rewritten;
    if (rewritten.length === 1 && only !== undefined) {
      return { ...only, ...this.#describe(given) };
    }
    // Constants of one kind are the most common choice, and an enumeration says the same to everybody.
    const constants = rewritten.flatMap((each) => listOf(each['enum']) ?? []);
    if (rewritten.length > 0 && rewritten.some((each) => listOf(each['enum']) === undefined)) {
      return { anyOf: rewritten, ...this.#describe(given) };
    }
    return { ...this.#enumeration(constants), ...this.#describe(given) };
  }

  #typed(given: Members, { depth, within }: Place): Members {
    const type = typeOf(given);
    const values = valuesOf(given);
    if (values?.every((value) => typeof value === 'string') === true) {
      return values.length > 0 || type === undefined || type === 'string'
        ? this.#enumeration(values)
        : { type };
    }
    switch (type) {
      case 'object':
        return this.#object(given, { depth, within });
      case 'array': {
        const { items } = given;
        const item = this.rewrite(listOf(items)?.[0] ?? items, depth + 1, within);
        return { type, items: Object.keys(item).length === 0 ? { type: 'string' } : item };
      }
      default:
        return type === undefined ? {} : { type };
    }
  }

  #object(given: Members, { depth, within }: Place): Members {
    const entries = Object.entries(membersOf(given['properties']) ?? {}).filter(([name]) =>
      legalMember.test(name),
    );
    const kept: [string, Members][] = [];
    for (const [name, part] of entries) {
      if (this.#partsLeft <= 0) {
        break;
      }
      kept.push([name, this.rewrite(part, depth + 1, within)]);
    }
    const properties = Object.fromEntries(kept);
    const named = (listOf(given['required']) ?? []).filter(
      (name) => typeof name === 'string' && Object.hasOwn(properties, name),
    );
    const required = [...new Set(named)];
    return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  }

  /** Values that nobody could send back are worse than none, so it is all of them or a plain text. */
  #enumeration(values: readonly unknown[]): Members {
    const distinct = [...new Set(values)].filter((value) => typeof value === 'string');
    const length = distinct.reduce((sum, value) => sum + value.length, 0);
    const isPortable = distinct.every((value) => visible(value) === value);
    if (distinct.length === 0 || !isPortable || length > Math.min(longestChoice, this.#wordsLeft)) {
      return { type: 'string' };
    }
    this.#wordsLeft -= length;
    return { type: 'string', enum: distinct };
  }

  /** Members of all parts of `allOf` in one schema. */
  #merged(given: Members): Members {
    const all = listOf(given['allOf']);
    if (all === undefined) {
      return given;
    }
    const parts: Members[] = [given];
    for (const part of all.slice(0, 20)) {
      parts.push(membersOf(this.#resolved(part)) ?? {});
    }
    const { allOf: _all, ...first } = joined(parts.toReversed());
    return {
      ...first,
      properties: joined(parts.map(({ properties }) => membersOf(properties) ?? {})),
      required: parts.flatMap(({ required }) => listOf(required) ?? []),
    };
  }

  #resolved(part: unknown): unknown {
    const reference = membersOf(part)?.['$ref'];
    return typeof reference === 'string' ? this.#find(reference) : part;
  }

  /** Only within the schema itself: nothing is ever fetched. */
  #find(reference: string): unknown {
    if (!reference.startsWith('#')) {
      return undefined;
    }
    const steps = reference.slice(1).split('/').slice(1);
    return steps.reduce<unknown>((at, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const members = membersOf(at);
      return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
    }, this.#root);
  }

  #describe(given: Members): Members {
    const own: unknown = given['description'] ?? given['title'];
    const values = valuesOf(given);
    const isListed = values?.some((value) => typeof value !== 'string') === true;
    const words = [
      ...Object.entries(rules).flatMap(([key, word]) =>
        given[key] === undefined ? [] : [`${word} ${inShort(given[key])}`],
      ),
      ...(isListed ? [`one of ${values.slice(0, 50).map(inShort).join(', ')}`] : []),
    ];
    const texts = [
      typeof own === 'string' ? visible(own.slice(0, 2 * longestDescription)) : '',
      words.length === 0 ? '' : `(${words.join('; ')})`,
    ];
    const limit = Math.min(longestDescription, this.#wordsLeft);
    const text = limit <= 0 ? '' : clip(texts.filter((each) => each !== '').join(' '), limit);
    this.#wordsLeft -= text.length;
    return text === '' ? {} : { description: text };
  }
}

/** Later ones come before earlier ones. */
function joined(parts: readonly Members[]): Members {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

interface Place {
  readonly depth: number;
  readonly within: readonly string[];
}
