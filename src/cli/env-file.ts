/**
 * The variables of a `.env` file: `NAME=value` lines, optionally with `export`, quotes and comments. Nothing is
 * expanded. Later lines win.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r\n|\n|\r/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) {
      values.set(match[1], unquote(match[2].trim()));
    }
  }
  return values;
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(text);
  return quoted?.[2] ?? text.replace(/\s+#.*$/, '').replace(/^#.*$/, '');
}
