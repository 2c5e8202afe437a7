export type LineEnd = '\n' | '\r\n';

/** The end that all lines have; `undefined` when they mix ends or have none. */
export function commonLineEnd(lines: readonly string[]): LineEnd | undefined {
  let found: LineEnd | undefined;
  for (const line of lines) {
    const end = line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : undefined;
    if (end === undefined && !line.endsWith('\r')) {
      continue;
    }
    if (end === undefined || (found !== undefined && found !== end)) {
      return undefined;
    }
    found = end;
  }
  return found;
}

/** Whether no line has another end than this one. */
export function hasOnlyEnd(lines: readonly string[], end: LineEnd): boolean {
  return lines.every((line) => !/[\r\n]$/.test(line)) || commonLineEnd(lines) === end;
}

export function withLineEnd(lines: readonly string[], end: LineEnd): readonly string[] {
  return lines.map((line) => line.replace(/\r?\n$/, end));
}
