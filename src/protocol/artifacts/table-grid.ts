// A plain text grid of fixed width: a column for the number of the event and one for each agent.
export type GridRow =
  /** A text per agent, or one over the whole width. */
  | { readonly name: string; readonly cells: readonly string[] }
  | { readonly name: string; readonly across: string };

const nameWidth = 6;

/** Columns shrink with the number of agents, so that a table stays within a screen. */
export function columnWidth(agents: number): number {
  if (agents <= 2) {
    return 60;
  }
  return agents === 3 ? 40 : agents === 4 ? 30 : 25;
}

export function gridLines(heads: readonly string[], rows: readonly GridRow[]): readonly string[] {
  const width = columnWidth(heads.length);
  const across = heads.length * (width + 3) - 3;
  const rule = (fill: string): string =>
    `+${[nameWidth, ...heads.map(() => width)].map((each) => fill.repeat(each + 2)).join('+')}+`;
  const lines = [rule('='), ...cellLines('Event', heads, width), rule('=')];
  for (const row of rows) {
    lines.push(
      ...('across' in row
        ? cellLines(row.name, [row.across], across)
        : cellLines(row.name, row.cells, width)),
      rule('-'),
    );
  }
  return lines;
}

function cellLines(name: string, cells: readonly string[], width: number): readonly string[] {
  const columns = cells.map((text) => wrapped(text, width));
  const height = Math.max(1, ...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_unused, line) => {
    const first = (line === 0 ? name : '').padEnd(nameWidth);
    const rest = columns.map((column) => padded(column[line] ?? '', width));
    return `| ${[first, ...rest].join(' | ')} |`;
  });
}

/** Lines of at most `width` characters, broken at spaces where there are some. */
export function wrapped(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ').flatMap((each) => pieces(each, width))) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (lengthOf(longer) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    return [...lines, line];
  });
}

function pieces(word: string, width: number): readonly string[] {
  const characters = Array.from(word);
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += width) {
    parts.push(characters.slice(at, at + width).join(''));
  }
  return parts.length === 0 ? [''] : parts;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - lengthOf(text)));
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
