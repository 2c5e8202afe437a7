// Text of a `.env` file: variables are put in without touching anything else.

/**
 * Why the value cannot stand in such a file so that every reader gets it back; `undefined` when it can. Readers disagree
 * about escapes, so that values which need one are refused: no service gives out such a key.
 */
export function envValueProblem(value: string): string | undefined {
  if (/[^\u0020-\u007E]/.test(value)) {
    return 'This holds characters that no key has, such as a line break. Copy the key alone.';
  }
  if (value !== value.trim()) {
    return 'A key neither begins nor ends with a space.';
  }
  return quoted(value) === undefined
    ? 'This holds quotes of both kinds, or a quote beside a dollar sign or a backslash, which no key has.'
    : undefined;
}

/** `undefined` when no form is read alike everywhere. */
function quoted(value: string): string | undefined {
  if (/^[\w.:/+@%=,-]+$/.test(value)) {
    return value;
  }
  if (!/['\\]/.test(value)) {
    return `'${value}'`;
  }
  return /["\\$`]/.test(value) ? undefined : `"${value}"`;
}

/**
 * The text with these variables set. Lines that set one of them get its new value in place; other lines, comments and
 * line ends stay as they are; what is new comes last. Throws for a value that `envValueProblem` refuses.
 */
export function withVariables(text: string, values: ReadonlyMap<string, string>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const seen = new Set<string>();
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/).map((line) => {
    const found = assignment.exec(line);
    const value = values.get(found?.groups?.['name'] ?? '');
    if (found?.groups === undefined || value === undefined) {
      return line;
    }
    const { head = '', name = '', value: old = '', tail = '' } = found.groups;
    seen.add(name);
    return `${head}${lineValue(value)}${commentOf(old)}${tail}`;
  });
  const kept = lines.join('');
  const added = [...values].filter(([name]) => !seen.has(name));
  const glue = kept === '' || /[\r\n]$/.test(kept) || added.length === 0 ? '' : end;
  return `${kept}${glue}${added.map(([name, value]) => `${name}=${lineValue(value)}${end}`).join('')}`;
}

const assignment =
  /^(?<head>\s*(?:export\s+)?(?<name>[A-Za-z_][A-Za-z0-9_]*)\s*=[^\S\r\n]*)(?<value>[^\r\n]*)(?<tail>[\r\n]*)$/;

/** A comment behind the old value, with the space before it. */
function commentOf(value: string): string {
  const behindQuotes = /^(["']).*?\1(\s*#.*)?\s*$/.exec(value);
  return (behindQuotes === null ? /\s+#.*$/.exec(value)?.[0] : behindQuotes[2]) ?? '';
}

function lineValue(value: string): string {
  const written = quoted(value);
  if (written === undefined || envValueProblem(value) !== undefined) {
    throw new Error('A value of a variable cannot be written.');
  }
  return written;
}
