import type { Terminal } from './terminal';

/**
 * Lines of a table with a header, columns padded to their widest cell; the last column is wrapped so that lines stay
 * within `width`. Where that leaves too little room for it, each row is a block instead: its first cell, and below it the
 * others by the titles of their columns.
 */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  { keepsWords = false }: TableForm = {},
): readonly string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const left = widths.slice(0, -1).reduce((sum, each) => sum + each + gap, 0);
  const room = width - left;
  const needed = keepsWords ? longestWord(rows.map((row) => row.at(-1) ?? '')) : leastRoom;
  if (room < Math.min(needed, widths.at(-1) ?? 0)) {
    return blockLines(header, rows, width);
  }
  const toLines = (row: readonly string[]): readonly string[] => {
    const start = row
      .slice(0, -1)
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + gap))
      .join('');
    return wrap(row.at(-1) ?? '', room).map((part, index) =>
      `${index === 0 ? start : ' '.repeat(left)}${part}`.trimEnd(),
    );
  };
  const rule = widths.map((each, column) =>
    '-'.repeat(column === widths.length - 1 ? Math.min(each, room) : each),
  );
  return [header, rule, ...rows].flatMap(toLines);
}

export interface TableForm {
  /** No word of the last column is broken, e.g. of paths that are copied. */
  readonly keepsWords?: boolean;
}

/** How wide a table may be: as the terminal, or at least `least` where lines end in a file or a pipe. */
export function tableWidth({ screen, width }: Terminal, least: number): number {
  return screen === undefined ? Math.max(width, least) : width;
}

const gap = 2;
/** A last column of fewer characters is harder to read than blocks. */
const leastRoom = 20;

function longestWord(texts: readonly string[]): number {
  return Math.max(...texts.flatMap((text) => text.split(' ').map(({ length }) => length)));
}

function blockLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const titles = Math.max(...header.slice(1).map((title) => title.length));
  const column = gap + (titles === 0 ? 0 : titles + gap);
  return rows.flatMap(([first = '', ...others]) => [
    first,
    ...others.flatMap((cell, index) => {
      const start = `${' '.repeat(gap)}${header[index + 1] ?? ''}`.padEnd(column);
      return cell === ''
        ? []
        : wholeWords(cell, width - column).map(
            (part, line) => `${line === 0 ? start : ' '.repeat(column)}${part}`,
          );
    }),
  ]);
}

/** Breaks at spaces, and inside a word only when it is longer than a line. */
export function wrap(text: string, width: number): readonly string[] {
  return filled(
    text.split(' ').flatMap((each) => pieces(each, width)),
    width,
  );
}

/** Breaks at spaces alone. */
function wholeWords(text: string, width: number): readonly string[] {
  return filled(text.split(' '), width);
}

function filled(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): readonly string[] {
  return word.length <= width
    ? [word]
    : [word.slice(0, width), ...pieces(word.slice(width), width)];
}
