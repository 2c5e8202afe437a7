import { isCollection, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { ownValue } from '../../base/own-value';
import { nearest } from '../../base/text';
import { fillVariables } from '../interpolation';
import { looksLikeKey, namesSecret, shown, variableName } from '../secret-text';
import type { ReadContext } from './read-context';
import { inWords, type Shape } from './shape';
import type { Spec } from './spec';

/** `isHinted`: an unquoted word that others read as a truth value, or a lone variable, is told as a warning. */
export function text(isHinted = true): Spec<string> {
  const shape: Shape = { kind: 'string' };
  return {
    shape,
    read: (node, context) => {
      const value = readText(node, context, shape);
      if (value?.trim() === '') {
        context.report(node, { code: 'wrong-value', message: 'This must not be empty.' });
        return undefined;
      }
      if (value !== undefined && isHinted) {
        hintAtText(value, node, context);
      }
      return value;
    },
  };
}

/** What a text is taken for elsewhere, so that nobody wonders. */
function hintAtText(value: string, node: Node, context: ReadContext): void {
  if (scalar(node)?.type === 'PLAIN' && Object.hasOwn(words, value.toLowerCase())) {
    context.report(node, {
      code: 'wrong-type',
      severity: 'warning',
      message: `Many programs read ${value} as true or false; put it in quotes.`,
      suggestion: `"${value}"`,
    });
  } else if (variableName(value) !== undefined) {
    context.report(node, {
      code: 'no-effect',
      severity: 'warning',
      message: 'No variable is filled in here; the text stays as it is.',
    });
  }
}

/** A setting such as a model or a path, in which `${NAME}` is filled in; see `fillVariables`. */
export function settingText(): Spec<string> {
  const plain = text();
  return {
    shape: { kind: 'string', takesVariables: true },
    read: (node, context) => {
      const written = readText(node, context, plain.shape);
      const filled = written === undefined ? undefined : fillVariables(written, node, context);
      if (filled?.trim() === '') {
        context.report(node, { code: 'wrong-value', message: 'This must not be empty.' });
        return undefined;
      }
      return filled;
    },
  };
}

export function oneOf<const V extends readonly string[]>(...values: V): Spec<V[number]> {
  const shape: Shape = { kind: 'string', values };
  return {
    shape,
    read: (node, context) => {
      const written = readText(node, context, shape);
      const value = values.find((candidate) => candidate === written);
      if (value === undefined && written !== undefined) {
        context.report(node, {
          code: 'wrong-value',
          message: `${shown(written)} is not ${inWords(shape)}.`,
          suggestion: nearest(written, values),
        });
      }
      return value;
    },
  };
}

export interface NumberBounds {
  readonly minimum?: number;
  readonly above?: number;
  readonly maximum?: number;
}

export function number(bounds: NumberBounds = {}): Spec<number> {
  return numeric({ kind: 'number', isInteger: false, ...bounds });
}

export function integer(bounds: NumberBounds = {}): Spec<number> {
  return numeric({ kind: 'number', isInteger: true, ...bounds });
}

function numeric(shape: Extract<Shape, { kind: 'number' }>): Spec<number> {
  return {
    shape,
    read: (node, context) => {
      const { value, source = '' } = scalar(node) ?? {};
      if (typeof value !== 'number') {
        reportNoNumber(value, node, context, shape);
        return undefined;
      }
      if (/^[-+]?0\d/.test(source)) {
        context.report(node, {
          code: 'wrong-value',
          message: `Some programs read ${source} as octal; write ${String(value)} without a zero in front.`,
          suggestion: String(value),
        });
        return undefined;
      }
      if (!isWithin(value, shape)) {
        const message = `${String(value)} is not ${inWords(shape)}.`;
        context.report(node, { code: 'wrong-value', message });
        return undefined;
      }
      return value;
    },
  };
}

function isWithin(value: number, shape: Extract<Shape, { kind: 'number' }>): boolean {
  return (
    Number.isFinite(value) &&
    (!shape.isInteger || Number.isInteger(value)) &&
    value >= (shape.minimum ?? -Infinity) &&
    value > (shape.above ?? -Infinity) &&
    value <= (shape.maximum ?? Infinity)
  );
}

function reportNoNumber(value: unknown, node: Node, context: ReadContext, shape: Shape): void {
  if (typeof value === 'string' && /^\s*\d+(?::[0-5]?\d)+\s*$/.test(value)) {
    const message = `This must be ${inWords(shape)}. Some programs read ${value.trim()} as a number of seconds; write the number itself.`;
    context.report(node, { code: 'wrong-type', message });
    return;
  }
  const meant = typeof value === 'string' ? numberIn(value, context.path) : undefined;
  wrongType(node, context, shape, meant);
}

/** The likely meaning of a text where a number belongs: `30` of `"30"`, `1800` of `30 minutes` below a key in seconds. */
function numberIn(written: string, path: string): string | undefined {
  const match = /^\s*\$?\s*(-?\d[\d_]*(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(written);
  const [, digits, unit = ''] = match ?? [];
  const number = Number(digits?.replaceAll('_', '') ?? Number.NaN);
  if (Number.isNaN(number)) {
    return undefined;
  }
  if (unit === '') {
    return String(number);
  }
  const ms = ownValue(msOf, unit.toLowerCase());
  const target = /_(ms|seconds|minutes)$/.exec(path)?.[1];
  const targetMs = target === undefined ? undefined : msOf[target];
  return ms === undefined || targetMs === undefined ? undefined : String((number * ms) / targetMs);
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];

const msOf: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: second, sec: second, secs: second, second, seconds: second },
  ...{ m: minute, min: minute, mins: minute, minute, minutes: minute },
  ...{ h: hour, hour, hours: hour, d: 24 * hour, day: 24 * hour, days: 24 * hour },
};

const words: Readonly<Record<string, boolean>> = { yes: true, on: true, no: false, off: false };

/** Also takes the unquoted words that YAML 1.1 reads as booleans. */
export function boolean(): Spec<boolean> {
  const shape: Shape = { kind: 'boolean' };
  return {
    shape,
    read: (node, context) => {
      const found = scalar(node);
      const value = found?.value;
      if (typeof value === 'boolean') {
        return value;
      }
      const word = typeof value === 'string' ? value.toLowerCase() : '';
      if (found?.type === 'PLAIN' && Object.hasOwn(words, word)) {
        return words[word];
      }
      wrongType(node, context, shape, truthWord(value));
      return undefined;
    },
  };
}

function truthWord(value: unknown): string | undefined {
  if (value === 1 || value === 0) {
    return value === 1 ? 'true' : 'false';
  }
  return typeof value === 'string' && value.length <= 6
    ? nearest(value.toLowerCase(), ['true', 'false'])
    : undefined;
}

/** A web address without a key, user or password in it; `${NAME}` is filled in. */
export function webAddress(): Spec<string> {
  const shape: Shape = { kind: 'url', takesVariables: true };
  return {
    shape,
    read: (node, context) => {
      const written = readText(node, context, shape);
      const filled = written === undefined ? undefined : fillVariables(written, node, context);
      if (written === undefined || filled === undefined) {
        return undefined;
      }
      const url = URL.canParse(filled) ? new URL(filled) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol)) {
        const message = addressMessage(written, filled, shape);
        context.report(node, { code: 'wrong-value', message });
        return undefined;
      }
      if (url.username !== '' || url.password !== '') {
        const message = 'An address must not hold a user name or password.';
        context.report(node, { code: 'literal-key', message });
        return undefined;
      }
      return filled;
    },
  };
}

/** Values of variables are not repeated. */
function addressMessage(written: string, filled: string, shape: Shape): string {
  const message = `${shown(written)} is not ${inWords(shape)}.`;
  if (written !== filled) {
    return `With the values of its variables, ${message}`;
  }
  const isBare = /^[a-z0-9.-]+(:\d+)?(\/|$)/i.test(written);
  return isBare ? `${message} Perhaps https:// is missing in front of it.` : message;
}

function readText(node: Node, context: ReadContext, shape: Shape): string | undefined {
  const found = scalar(node);
  if (typeof found?.value === 'string') {
    return found.value;
  }
  const isPlain = typeof found?.value === 'number' || typeof found?.value === 'boolean';
  const quoted = isPlain && found.source !== undefined ? `"${found.source}"` : undefined;
  wrongType(node, context, shape, quoted);
  return undefined;
}

function scalar(node: Node): Scalar | undefined {
  return isScalar(node) ? node : undefined;
}

/** Says what must stand here and what does, as far as that is no secret. */
export function wrongType(
  node: Node,
  context: ReadContext,
  shape: Shape,
  suggestion?: string,
): void {
  const found = namesSecret(context.path) ? '' : foundWords(node);
  const hint = wrongTypeHint(node, shape, suggestion);
  const safe = suggestion === undefined || looksLikeKey(suggestion) ? undefined : suggestion;
  context.report(node, {
    code: 'wrong-type',
    message: `This must be ${inWords(shape)}${found}.${hint}`,
    suggestion: safe,
  });
}

function wrongTypeHint(node: Node, shape: Shape, suggestion: string | undefined): string {
  if (suggestion?.startsWith('"') === true) {
    return ' Put it in quotes.';
  }
  if (shape.kind === 'list' && isMap(node) && node.flow !== true) {
    return ' Each item of a list begins with a dash.';
  }
  return isCollection(node) && node.flow === true && shape.kind === 'string'
    ? ' A text that begins with a bracket or brace needs quotes.'
    : '';
}

/** `, not the text abc`: the value as it was written. */
function foundWords(node: Node): string {
  if (isMap(node)) {
    return ', not a mapping';
  }
  if (isSeq(node)) {
    return ', not a list';
  }
  const { value, source = String(value) } = scalar(node) ?? { value: '' };
  return typeof value === 'string' ? `, not the text ${shown(value)}` : `, not ${shown(source)}`;
}
