import { MassGenError } from '../core/errors';
import { defineTool } from './define-tool';
import { readTextFile, toLines } from './text-file';
import { textOf } from './tool-input';

/** Larger files are read in ranges. */
const wholeFileBytes = 1024 * 1024;
const answerCharacters = 256 * 1024;

export const readFile = defineTool({
  name: 'read_file',
  access: 'read',
  effect: 'read',
  description:
    'Reads a text file. The first line of the result names the file and the lines shown; the text of the file follows unchanged, without line numbers. ' +
    'Without start_line and end_line the whole file is read; files over 1 MB need a range.',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the file: relative to the project, or absolute.',
    },
    start_line: {
      type: 'integer',
      description: 'First line to read, counted from 1.',
      minimum: 1,
      isOptional: true,
    },
    end_line: {
      type: 'integer',
      description: 'Last line to read, included.',
      minimum: 1,
      isOptional: true,
    },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path, start_line: start, end_line: end }, context, signal): Promise<string> {
    const file = await readTextFile(context, path, signal);
    const hasRange = start !== undefined || end !== undefined;
    const total = toLines(file.text).length;
    if (!hasRange && file.sizeBytes > wholeFileBytes) {
      throw new MassGenError(
        'workspace/too-large',
        `${path} has ${file.sizeBytes} bytes in ${total} lines, too much to read at once.`,
        { hint: 'Read a part with start_line and end_line, or use search_text.' },
      );
    }
    const from = start ?? 1;
    const to = Math.min(end ?? total, total);
    if (hasRange && (from > to || from > total)) {
      throw new MassGenError(
        'tool/invalid-input',
        `${path} has ${total} lines; there are none from ${from} to ${end ?? total}.`,
      );
    }
    const text = hasRange ? linesOf(file.text, from, to) : file.text;
    return `${header(path, { from, to, total })}\n${cut(text)}`;
  },
});

function header(path: string, range: { from: number; to: number; total: number }): string {
  return range.total === 0
    ? `[${path}: empty]`
    : `[${path}: lines ${range.from} to ${range.to} of ${range.total}]`;
}

/** The lines with their own ends. */
function linesOf(text: string, from: number, to: number): string {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  return lines.slice(from - 1, to).join('');
}

function cut(text: string): string {
  return text.length <= answerCharacters
    ? text
    : `${text.slice(0, answerCharacters)}\n[… cut after ${answerCharacters} characters: read a smaller range]`;
}
