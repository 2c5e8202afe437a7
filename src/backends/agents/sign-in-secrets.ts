// Finds what is secret in a file that says how somebody is signed in, whatever its form: JSON, YAML, TOML, lines of names and
// values, or nothing but a token.
import { asObject } from '../wire/json-reading';

const secretName = /token|key|secret|password|credential/i;

/** Shorter ones are kinds and names, such as `Bearer`. */
const shortestSecret = 16;

export function secretsIn(text: string): readonly string[] {
  const value = jsonOf(text);
  return value === undefined ? secretsInLines(text) : secretsInValue(value, '');
}

export function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function secretsInValue(value: unknown, name: string): readonly string[] {
  if (typeof value === 'string') {
    return secretName.test(name) && isLong(value) ? [value] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) => secretsInValue(each, name));
  }
  return Object.entries(asObject(value) ?? {}).flatMap(([key, each]) =>
    // What lies in `tokens` may have any name.
    secretsInValue(each, secretName.test(name) ? name : key),
  );
}

/** A line that opens a part: everything further in belongs to it. */
interface Part {
  readonly indent: number;
  readonly isSecret: boolean;
}

const section = /^\s*\[+([^[\]]+)\]+\s*$/;
const pair = /^(\s*)(?:- +)?(?:export +)?["']?([\w.-]+)["']?\s*[:=](?![/=])\s*(.*)$/;

function secretsInLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const [only = ''] = lines;
  if (lines.length === 1 && isLong(only.trim()) && !/\s/.test(only.trim())) {
    return [only.trim(), ...valuesIn(pair.exec(only)?.[3] ?? '')];
  }
  let parts: readonly Part[] = [];
  return lines.flatMap((line) => {
    const opened = section.exec(line)?.[1];
    if (opened !== undefined) {
      parts = [{ indent: -1, isSecret: secretName.test(opened) }];
      return [];
    }
    const indent = line.search(/\S/);
    parts = parts.filter((part) => part.indent < indent);
    const isInside = parts.some(({ isSecret }) => isSecret);
    const [, , name = '', value = ''] = pair.exec(line) ?? [];
    if (name === '') {
      return isInside ? valuesIn(line) : namedWords(line);
    }
    const isSecret = isInside || secretName.test(name);
    parts = [...parts, { indent, isSecret }];
    return isSecret ? valuesIn(value) : namedWords(value);
  });
}

/** `password abc` and `{ token = "abc" }` within a line. */
function namedWords(line: string): readonly string[] {
  const found = line.matchAll(/["']?([\w.-]+)["']?\s*[:=\s]\s*["']?([^\s"',}\]]+)/g);
  return [...found].flatMap(([, name = '', value = '']) =>
    secretName.test(name) && isLong(value) ? [value] : [],
  );
}

/** Long words of a value, and all of it, without what encloses it. */
function valuesIn(value: string): readonly string[] {
  const plain = value.replace(/\s+#.*$/, '').trim();
  const bare = /^(["'])(.*)\1,?$/.exec(plain)?.[2] ?? plain;
  const words = plain.split(/[\s"',{}[\]]+/).filter((word) => isLong(word));
  return [...new Set([...(isLong(bare) ? [bare] : []), ...words])];
}

function isLong(text: string): boolean {
  return text.length >= shortestSecret;
}
