// Texts of a server that may name variables, and must not hold a key themselves.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { namesKey } from '../../base/variables';
import { isPlaceholder, looksLikeKey, namesSecret, shown } from '../secret-text';
import { either, entriesOf, list } from './collections';
import type { ReadContext } from './read-context';
import { text, wrongType } from './scalars';
import { keepKey } from './secret-key';
import type { Spec } from './spec';

/** Ports of other services than web servers: a request to one of them is meant to do something else. */
const otherPorts = [
  ...['22', '23', '25', '53', '135', '139', '445', '1433', '1521', '3306', '3389', '5432', '6379'],
];

const shortestKey = 8;

/** Names of variables that usually hold a key. In a backend block a number of tokens is meant; here it is not. */
const keyNames = /(?:^|[_-])(?:token|key|pat)$/i;

/** An address with a password in front of its host, e.g. that of a database. */
const signIn = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*:[^/?#\s]+@/i;

const variable = /\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*\}/;

/** A text or number without a key in it; may be empty. */
export function plainText(): Spec<string> {
  const any = anyText();
  return {
    shape: any.shape,
    read: (node, context) => {
      const written = any.read(node, context);
      return written === undefined || refuseKey(written, node, context) ? undefined : written;
    },
  };
}

function anyText(): Spec<string> {
  const plain = text(false);
  return {
    shape: { kind: 'string', isLoose: true },
    read: (node, context) => {
      const value: unknown = isScalar(node) ? node.value : undefined;
      const isReady = value === '' || typeof value === 'number' || typeof value === 'boolean';
      return isReady ? sourceOf(node, value) : plain.read(node, context);
    },
  };
}

/** As it was written: `1.0` is not `1`. */
function sourceOf(node: Node, value: string | number | boolean): string {
  return isScalar(node) && value !== '' && node.source !== undefined ? node.source : String(value);
}

/** A whole command in one text, or its words. */
export function commandText(): Spec<string | readonly string[]> {
  return either(isSeq, list(plainText()), plainText());
}

/** The words of a command as it was written. `hasArguments`: arguments stand by themselves, so a path may hold spaces. */
export function wordsOf(
  command: string | readonly string[],
  hasArguments: boolean,
): readonly string[] {
  if (typeof command !== 'string') {
    return command;
  }
  const isPath = /^(?:[/~.\\]|[A-Za-z]:|\$\{)/.test(command) && !/["']/.test(command);
  return hasArguments && isPath ? [command] : split(command);
}

/** By spaces outside of quotes; nothing else has a meaning, because no shell takes part. */
function split(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s"']|"[^"]*"?|'[^']*'?)+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"?|'([^']*)'?/g, '$1$2'),
  );
}

/** Variables or headers by their name. In the place of a key in clear text stands the name under which it is found. */
export function variablesByName(): Spec<Readonly<Record<string, string>>> {
  const value = anyText();
  const shape = { kind: 'record', value: value.shape } as const;
  return {
    shape,
    read: (node, context) => {
      if (!isMap(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      const values: [string, string][] = [];
      for (const { name, range, value: given } of entriesOf(node, context)) {
        const at = context.key(shown(name), range);
        const item = context.resolve(given);
        if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) {
          const message = 'A name has letters, digits, - and _, and begins with a letter.';
          at.report(undefined, { code: 'wrong-value', message });
        }
        const read = isScalar(item) ? value.read(item, at) : undefined;
        if (!isScalar(item)) {
          wrongType(item ?? node, at, value.shape);
        }
        const kept = read === undefined ? undefined : named(name, read, { node: item ?? node, at });
        if (kept !== undefined) {
          values.push([name, kept]);
        }
      }
      return Object.fromEntries(values);
    },
  };
}

/** A web address whose path and query may name variables; its host may not, because it is shown before it is trusted. */
export function addressWithVariables(): Spec<string> {
  const shape = { kind: 'url' } as const;
  const plain = plainText();
  return {
    shape,
    read: (node, context) => {
      const written = plain.read(node, context)?.trim();
      if (written === undefined) {
        return undefined;
      }
      const problem = problemOf(written);
      if (problem !== undefined) {
        context.report(node, problem);
        return undefined;
      }
      return written;
    },
  };
}

function problemOf(
  written: string,
): { readonly code: 'wrong-value' | 'literal-key'; readonly message: string } | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isWeb = /^https?:$/.test(url?.protocol ?? '');
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(written)?.[0] ?? '';
  if (url === undefined || !isWeb || origin.includes('${')) {
    const message = `${shown(written)} is not a web address that begins with http:// or https:// and names its host.`;
    return { code: 'wrong-value', message };
  }
  if (url.username !== '' || url.password !== '') {
    const message = 'An address must not hold a user name or password; use headers.';
    return { code: 'literal-key', message };
  }
  const message = `Port ${url.port} is that of another service than a web server.`;
  return otherPorts.includes(url.port) ? { code: 'wrong-value', message } : undefined;
}

/** Never repeats what it refuses. */
function refuseKey(written: string, node: Node, context: ReadContext): boolean {
  const isKey = looksLikeKey(written);
  if (isKey) {
    const message = 'A key must not stand in a file. Write ${NAME}, the name of a variable.';
    context.report(node, { code: 'literal-key', message });
  }
  return isKey;
}

/** The value itself, or the reference to a key that it is; `undefined` for one that cannot be used. */
function named(
  name: string,
  written: string,
  { node, at }: { readonly node: Node; readonly at: ReadContext },
): string | undefined {
  const isVariable = variable.test(written);
  const isSecret = !isVariable && holdsSecret(name, written);
  if (isVariable || !isSecret) {
    return refuseKey(written, node, at) ? undefined : written;
  }
  if (isPlaceholder(written)) {
    const message = `${shown(written)} is only a placeholder. Write \${NAME}, the name of a variable.`;
    const suggestion = /^[A-Za-z_]\w*$/.test(name) ? `"\${${name}}"` : undefined;
    at.report(node, { code: 'wrong-value', severity: 'warning', message, suggestion });
    return written;
  }
  const advice = 'Write ${NAME}, the name of a variable.';
  const kept = keepKey(written, { node, context: at, suggestion: undefined }, advice);
  return kept === undefined ? undefined : `\${${kept}}`;
}

function holdsSecret(name: string, written: string): boolean {
  const isNamed =
    namesSecret(name) || keyNames.test(name) || namesKey(name.replaceAll(/[.-]/g, '_'));
  return (
    looksLikeKey(written) || signIn.test(written) || (isNamed && written.length >= shortestKey)
  );
}
