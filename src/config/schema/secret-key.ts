// Keys of team files: meant to be named, and used as well where they stand in clear text.
import { isScalar, type Node } from 'yaml';
import { isNoKey, isPlaceholder, looksLikeKey, shown, variableName } from '../secret-text';
import type { ReadContext } from './read-context';
import { inWords, type Shape } from './shape';
import type { Spec } from './spec';

const shape: Shape = { kind: 'secret' };

const namesAreBetter =
  'the value then comes from the secret storage of the editor or the environment';

/**
 * The name of a variable, written `${NAME}`. A key in clear text is a warning: it is kept apart, and what is read is the
 * name under which it is found. No message repeats it. `usualName` is offered instead.
 */
export function secretName(usualName: string | undefined): Spec<string> {
  return {
    shape,
    read: (node, context) => {
      const written = writtenText(node);
      const named = written === undefined ? undefined : variableName(written);
      if (named !== undefined) {
        return named;
      }
      const bare = written === undefined ? undefined : bareVariable(written);
      if (bare !== undefined) {
        const message = `${bare} is the name of a variable; write \${${bare}}.`;
        const suggestion = reference(bare, context.isFlow);
        context.report(node, { code: 'wrong-value', message, suggestion });
        return undefined;
      }
      const suggestion = usualName === undefined ? undefined : reference(usualName, context.isFlow);
      return readKey(written?.trim(), { node, context, suggestion });
    },
  };
}

interface Spot {
  readonly node: Node;
  readonly context: ReadContext;
  readonly suggestion: string | undefined;
}

function readKey(written: string | undefined, spot: Spot): string | undefined {
  const { node, context, suggestion } = spot;
  if (written !== undefined && isPlaceholder(written) && !looksLikeKey(written)) {
    const message = `${shown(written)} is only a placeholder. Write ${inWords(shape)}.`;
    context.report(node, { code: 'wrong-value', message, suggestion });
    return undefined;
  }
  if (written === undefined || written.includes('$') || !/^[\x21-\x7e]+$/.test(written)) {
    const message = `This is no key that a service could take. Write ${inWords(shape)}; ${namesAreBetter}.`;
    context.report(node, { code: 'literal-key', message, suggestion });
    return undefined;
  }
  return keepKey(written, spot, `Write ${inWords(shape)} instead; ${namesAreBetter}.`);
}

/** Warns of a key in clear text, unless it is none at all, and answers its name; where none can be kept it is an error. */
export function keepKey(
  value: string,
  { node, context, suggestion }: Spot,
  advice: string,
): string | undefined {
  const name = context.keepKey(value);
  if (name !== undefined && isNoKey(value)) {
    return name;
  }
  const fact =
    name === undefined ? 'A key must not stand in this file.' : 'This key stands in the file.';
  context.report(node, {
    code: 'literal-key',
    ...(name === undefined ? {} : { severity: 'warning' }),
    message: `${fact} ${advice}`,
    suggestion,
  });
  return name;
}

/** Also of a number, as it was written. */
function writtenText(node: Node): string | undefined {
  if (!isScalar(node)) {
    return undefined;
  }
  return typeof node.value === 'number' ? (node.source ?? String(node.value)) : textOf(node.value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** As it is written in a file. */
function reference(name: string, isFlow: boolean): string {
  return isFlow ? `"\${${name}}"` : `\${${name}}`;
}

/** `OPENAI_API_KEY` and `$OPENAI_API_KEY` are surely meant as names. */
function bareVariable(written: string): string | undefined {
  return /^\$?([A-Z][A-Z0-9_]*_(?:KEY|TOKEN))$/.exec(written.trim())?.[1];
}
