import { MassGenError } from '../core/errors';
import { defineTool } from './define-tool';
import { encodeTextFile, readTextFile, toLines } from './text-file';
import { textOf } from './tool-input';

export const editFile = defineTool({
  name: 'edit_file',
  access: 'write',
  effect: 'workspace',
  description:
    'Replaces one piece of a text file. old_text must occur exactly once, letter for letter with its indentation; include enough lines around it to make it unique. ' +
    'Line ends and everything else in the file stay as they are.',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the file: relative to the project, or absolute.',
    },
    old_text: { type: 'string', description: 'The text to replace, exactly as it stands.' },
    new_text: { type: 'string', description: 'The text to put in its place; may be empty.' },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path, old_text: oldText, new_text: newText }, context, signal): Promise<string> {
    const file = await readTextFile(context, path, signal);
    const edit = fitLineEnds(file.text, oldText, newText);
    const at = findOnce(path, file.text, edit.oldText);
    if (edit.oldText === edit.newText) {
      throw new MassGenError('tool/invalid-input', 'Nothing was done: both texts are the same.');
    }
    const text = file.text.slice(0, at) + edit.newText + file.text.slice(at + edit.oldText.length);
    await context.workspace.writeFile(path, encodeTextFile({ ...file, text }), signal);
    const line = lineAt(text, at);
    const last = line + Math.max(0, toLines(edit.newText).length - 1);
    return `Edited ${path}; the new text stands in ${line === last ? `line ${line}` : `lines ${line} to ${last}`}.`;
  },
});

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** Models write LF. In a file with CRLF the texts get its line ends, so that they match and nothing is mixed. */
function fitLineEnds(text: string, oldText: string, newText: string): Edit {
  const withEnds = (value: string): string => value.replace(/\r?\n/g, '\r\n');
  const isFound = oldText !== '' && text.includes(oldText);
  if (!isFound && text.includes(withEnds(oldText))) {
    return { oldText: withEnds(oldText), newText: withEnds(newText) };
  }
  const isCrlfFile = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return { oldText, newText: isFound && isCrlfFile ? withEnds(newText) : newText };
}

/** Position of the only occurrence. Throws `tool/invalid-input` with what helps to find it. */
function findOnce(path: string, text: string, wanted: string): number {
  if (wanted === '') {
    throw new MassGenError('tool/invalid-input', 'Nothing was done: old_text is empty.', {
      hint: 'Use write_file for a new file.',
    });
  }
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    places.push(at);
  }
  const [first] = places;
  if (first === undefined) {
    throw new MassGenError(
      'tool/invalid-input',
      `Nothing was done: old_text does not occur in ${path}.${nearestLines(text, wanted)}`,
    );
  }
  if (places.length > 1) {
    const lines = places.slice(0, 10).map((at) => lineAt(text, at));
    throw new MassGenError(
      'tool/invalid-input',
      `Nothing was done: old_text occurs ${places.length} times in ${path}, at lines ${lines.join(', ')}${places.length > 10 ? ', …' : ''}.`,
      { hint: 'Add lines around it until it is unique.' },
    );
  }
  return first;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split(/\r\n|\n|\r/).length;
}

/** The lines of the file that are most like what was asked for, as they really stand. */
function nearestLines(text: string, wanted: string): string {
  const target = words(toLines(wanted).find((line) => line.trim() !== '') ?? '');
  const lines = toLines(text);
  let best = { score: 0, index: 0 };
  lines.forEach((line, index) => {
    const own = words(line);
    const shared = [...target].filter((word) => own.has(word)).length;
    const score = shared / Math.max(1, target.size + own.size - shared);
    if (score > best.score) {
      best = { score, index };
    }
  });
  if (best.score < 0.4) {
    return ' Read the file again and copy the text from it.';
  }
  const from = Math.max(0, best.index - 1);
  const count = Math.min(12, toLines(wanted).length + 2);
  const near = lines.slice(from, from + count).map((line) => line.slice(0, 300));
  return ` The nearest lines are ${from + 1} to ${from + near.length}:\n${near.join('\n')}`;
}

function words(line: string): Set<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
}
