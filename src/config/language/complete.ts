import { isScalar, parseDocument, type YAMLMap } from 'yaml';
import { refuseText } from '../yaml/refuse-text';
import { usualKeyNames } from '../schema/original-keys';
import { inWords, type KeyInfo, type Shape } from '../schema/shape';
import { isOnOwnLine, keysOf, locate, type Place } from './locate';

export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value';
  /** The kind of value in words. */
  readonly detail: string;
  readonly documentation: string;
  /** Replaces `range`. */
  readonly insertText: string;
  /** Offsets of what is being typed. */
  readonly range: readonly [start: number, end: number];
}

/** Stands for what is about to be typed; no team file has such a word. */
const marker = 'cursor_of_massgen';
const longestWord = 200;

const wordBefore = /[A-Za-z0-9_$.{}-]*$/;

/** What may be written at an offset, also in the middle of half-typed text. Never throws. */
export function complete(text: string, offset: number, root: Shape): readonly Completion[] {
  if (refuseText(text) !== undefined) {
    return [];
  }
  const before = text.slice(Math.max(0, offset - longestWord), offset);
  const word = wordBefore.exec(before)?.[0] ?? '';
  const rest = word.includes('{') ? /^[A-Za-z0-9_]*\}?/ : /^[A-Za-z0-9_-]*/;
  const after = rest.exec(text.slice(offset))?.[0] ?? '';
  const range = [offset - word.length, offset + after.length] as const;
  const markedBy = (mark: string): string =>
    `${text.slice(0, range[0])}${mark}${text.slice(range[1])}`;
  const marked = markedBy(marker);
  // A word alone above another key is one text with it, unless it is a key itself.
  const place = placeOfMarker(marked, root) ?? placeOfMarker(markedBy(`${marker}:`), root);
  if (place === undefined) {
    return [];
  }
  if (place.info?.isUnsupported === true) {
    return [];
  }
  const options = place.role === 'key' ? keys(place) : values(place, marked);
  return options.map((option) => ({ ...option, range }));
}

function placeOfMarker(marked: string, root: Shape): Place | undefined {
  try {
    const document = parseDocument(marked, { uniqueKeys: false, prettyErrors: false });
    if (isScalar(document.contents)) {
      // The only word of the file: it is going to be a key.
      const node = document.contents;
      const map = undefined;
      return node.value === marker
        ? { node, role: 'key', shape: root, info: undefined, map }
        : undefined;
    }
    return locate(document, root, ({ value }) => value === marker);
  } catch {
    // Nested too deep to be parsed: no file of a person.
    return undefined;
  }
}

type Option = Omit<Completion, 'range'>;

function keys({ shape, map }: Place): readonly Option[] {
  const present = new Set(namesIn(map));
  return keysOf(shape, map)
    .filter(({ name, isUnsupported }) => isUnsupported !== true && !present.has(name))
    .map(toOption);
}

function namesIn(map: YAMLMap | undefined): readonly string[] {
  return (map?.items ?? []).flatMap(({ key }) => (isScalar(key) ? String(key.value) : []));
}

function toOption(key: KeyInfo): Option {
  const isNested = ['mapping', 'list', 'record', 'by-type'].includes(key.shape.kind);
  return {
    label: key.name,
    kind: 'key',
    detail: inWords(key.shape),
    documentation: documentationOf(key),
    insertText: isNested ? `${key.name}:` : `${key.name}: `,
  };
}

export function documentationOf({ description, defaultText }: KeyInfo): string {
  return defaultText === undefined ? description : `${description} Default: ${defaultText}.`;
}

/** On a line of its own, what begins is rather a mapping or a list than a word. */
function values({ shape, info, node, map }: Place, text: string): readonly Option[] {
  if (isOnOwnLine(text, node) && shape.kind !== 'string') {
    const inner = shape.kind === 'list' ? shape.item : shape;
    const isItem = shape.kind === 'list';
    return keysOf(inner, undefined)
      .filter(({ isUnsupported }) => isUnsupported !== true)
      .map(toOption)
      .map((option) => (isItem ? { ...option, insertText: `- ${option.insertText}` } : option));
  }
  const words = [...wordsFor(shape), ...(shape.isNullable === true ? ['null'] : [])];
  return words.map((word) => ({
    label: word,
    kind: 'value',
    detail: '',
    documentation: info === undefined ? '' : documentationOf(info),
    // Braces have a meaning of their own inside brackets.
    insertText: map?.flow === true && word.startsWith('$') ? `"${word}"` : word,
  }));
}

const keyNames = usualKeyNames.map((name) => `\${${name}}`);

function wordsFor(shape: Shape): readonly string[] {
  switch (shape.kind) {
    case 'string':
      return shape.values ?? [];
    case 'boolean':
      return ['true', 'false'];
    case 'secret':
      return keyNames;
    case 'list':
      return wordsFor(shape.item);
    case 'one-of':
      return shape.shapes.flatMap(wordsFor);
    default:
      return [];
  }
}
