/**
 * Lines of a table with a header, columns padded to their widest cell; the last column is wrapped so that lines stay
 * within `width`.
 */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const left = widths.slice(0, -1).reduce((sum, each) => sum + each + gap, 0);
  const room = Math.max(20, width - left);
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

const gap = 2;

/** Breaks at spaces, and inside a word only when it is longer than a line. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, width))) {
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
