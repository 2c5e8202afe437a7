import { isScalar, type Node, type Scalar } from 'yaml';
import { nearest } from '../../base/text';
import { looksLikeKey, shown, variableName } from '../secret-text';
import type { ReadContext } from './read-context';
import { inWords, type Shape } from './shape';
import type { Spec } from './spec';

export function text(): Spec<string> {
  const shape: Shape = { kind: 'string' };
  return {
    shape,
    read: (node, context) => {
      const value = readText(node, context, shape);
      if (value?.trim() === '') {
        context.report(node, { code: 'wrong-value', message: 'This must not be empty.' });
        return undefined;
      }
      return value;
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
      const value = scalar(node)?.value;
      if (typeof value !== 'number') {
        const number = typeof value === 'string' ? leadingNumber(value) : undefined;
        wrongType(node, context, shape, number);
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

/** `30` of `"30"` and of `30 minutes`: the likely meaning of a text where a number belongs. */
function leadingNumber(written: string): string | undefined {
  return /^\s*(-?\d+(?:\.\d+)?)\s*[A-Za-z]*\s*$/.exec(written)?.[1];
}

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
      if (found?.type === 'PLAIN' && word in words) {
        return words[word];
      }
      wrongType(
        node,
        context,
        shape,
        ['true', 'false'].find((candidate) => candidate === word),
      );
      return undefined;
    },
  };
}

/** A web address without a key, user or password in it. */
export function webAddress(): Spec<string> {
  const shape: Shape = { kind: 'url' };
  return {
    shape,
    read: (node, context) => {
      const written = readText(node, context, shape);
      if (written === undefined) {
        return undefined;
      }
      const url = URL.canParse(written) ? new URL(written) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol)) {
        const isVariable = variableName(written) !== undefined;
        const message = isVariable
          ? 'Only keys are taken from variables; write the address itself.'
          : `${shown(written)} is not ${inWords(shape)}.`;
        context.report(node, { code: 'wrong-value', message });
        return undefined;
      }
      if (url.username !== '' || url.password !== '') {
        const message = 'An address must not hold a user name or password.';
        context.report(node, { code: 'literal-key', message });
        return undefined;
      }
      return written;
    },
  };
}

/**
 * The name of a variable, written `${NAME}`. A value in clear text is refused, and no message repeats it.
 * `usualName` is offered instead.
 */
export function secretName(usualName: string | undefined): Spec<string> {
  const shape: Shape = { kind: 'secret' };
  return {
    shape,
    read: (node, context) => {
      const written = scalar(node)?.value;
      const name = typeof written === 'string' ? variableName(written) : undefined;
      if (name === undefined) {
        const bare = typeof written === 'string' ? bareVariable(written) : undefined;
        const suggested = bare ?? usualName;
        context.report(node, {
          code: 'literal-key',
          message: `A key must not stand in a file. Write ${inWords(shape)}; the value comes from the editor's secret storage or the environment.`,
          suggestion: suggested === undefined ? undefined : reference(suggested, context.isFlow),
        });
      }
      return name;
    },
  };
}

/** As it is written in a file. */
function reference(name: string, isFlow: boolean): string {
  return isFlow ? `"\${${name}}"` : `\${${name}}`;
}

/** `OPENAI_API_KEY` and `$OPENAI_API_KEY` are surely meant as names. */
function bareVariable(written: string): string | undefined {
  return /^\$?([A-Z][A-Z0-9_]*_(?:KEY|TOKEN))$/.exec(written.trim())?.[1];
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

export function wrongType(
  node: Node,
  context: ReadContext,
  shape: Shape,
  suggestion?: string,
): void {
  const isQuoting = suggestion?.startsWith('"') === true;
  const hint = isQuoting ? ` Put it in quotes.` : '';
  const safe = suggestion === undefined || looksLikeKey(suggestion) ? undefined : suggestion;
  context.report(node, {
    code: 'wrong-type',
    message: `This must be ${inWords(shape)}.${hint}`,
    suggestion: safe,
  });
}
