import { clip } from '../base/text';
import { MassGenError, isCancelled, isMassGenError } from '../core/errors';
import type { AgentWorkspace } from '../core/ports/workspace';
import type { Tool } from '../core/ports/tool';
import { defineTool } from './define-tool';
import { RegexWorker } from './regex-worker';
import type { Ripgrep } from './ripgrep';
import { tryDecode } from './text-file';
import { textOf } from './tool-input';

const matchLimit = 200;
const fileLimit = 20_000;
const fileBytes = 8 * 1024 * 1024;
const timeLimitMs = 10_000;
const lineCharacters = 300;

/** Files below which a program of its own is not worth its start. */
const fewFiles = 100;

/** `ripgrep` only tells which files to look into; what is found and shown is the same with and without it. */
export const searchText = (ripgrep: Pick<Ripgrep, 'filesWith'> | undefined, few = fewFiles): Tool =>
  defineTool({
    name: 'search_text',
    access: 'read',
    effect: 'read',
    description:
      'Finds lines that contain a text, in one file or in all files of a folder; dependency folders and binary files are left out. ' +
      `Each result is "path:line: text"; at most ${matchLimit} are shown. The text is taken literally and its case matters; with is_regex it is a JavaScript regular expression that is matched line by line.`,
    fields: {
      pattern: { type: 'string', description: 'What to look for, within one line.' },
      path: {
        type: 'string',
        description: 'File or folder to search; the whole project when left out.',
        isOptional: true,
      },
      is_regex: {
        type: 'boolean',
        description: 'Whether pattern is a regular expression; false when left out.',
        isOptional: true,
      },
    },
    subjectOf: (input) => textOf(input, 'pattern'),
    async run({ pattern, path, is_regex: isRegex }, { workspace }, signal): Promise<string> {
      if (pattern === '') {
        throw new MassGenError('tool/invalid-input', 'Nothing was searched: pattern is empty.');
      }
      const files = await filesOf(workspace, path, signal);
      const matcher = isRegex === true ? regexMatcher(pattern) : literalMatcher(pattern);
      try {
        const plain = isRegex === true || files.length < few ? undefined : pattern;
        const worth = await withoutMatchless(plain, { workspace, files, ripgrep }, signal);
        const found = await search(workspace, worth, matcher, signal);
        return describe(found, files.length);
      } finally {
        await matcher.close();
      }
    },
  });

/** Without a path: the files of every root but those of other agents. */
async function filesOf(
  workspace: AgentWorkspace,
  path: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (path !== undefined) {
    return workspace.listFiles(path, fileLimit, signal);
  }
  const files: string[] = [];
  for (const root of workspace.roots.filter(({ kind }) => kind !== 'peers')) {
    files.push(...(await workspace.listFiles(root.shownPath, fileLimit - files.length, signal)));
  }
  return files;
}

interface Narrowing {
  readonly workspace: AgentWorkspace;
  readonly files: readonly string[];
  readonly ripgrep: Pick<Ripgrep, 'filesWith'> | undefined;
}

/** All files but those that lie on the disk as they are seen and surely have no line with the text. */
async function withoutMatchless(
  pattern: string | undefined,
  { workspace, files, ripgrep }: Narrowing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (pattern === undefined || ripgrep === undefined || workspace.onDisk === undefined) {
    return files;
  }
  const places = await workspace.onDisk(files, signal);
  const found = await ripgrep.filesWith(pattern, [...places.values()], signal);
  return found === undefined
    ? files
    : files.filter((file) => {
        const place = places.get(file);
        return place === undefined || found.has(place);
      });
}

interface Matcher {
  /** Lines (0-based) that match. */
  match(text: string, signal: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

async function search(
  workspace: AgentWorkspace,
  files: readonly string[],
  matcher: Matcher,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of files) {
    const text = await readSearchable(workspace, file, signal);
    if (text === undefined) {
      continue;
    }
    const numbers = await matcher.match(text, signal);
    const lines = numbers.length === 0 ? [] : text.split(/\r\n|\n|\r/);
    const shown = relativeToFirstRoot(workspace, file);
    for (const number of numbers) {
      found.push(`${shown}:${number + 1}: ${clip(lines[number] ?? '', lineCharacters)}`);
    }
    if (found.length > matchLimit) {
      break;
    }
  }
  return found;
}

/** `undefined` for files that are not text, are too large to be sources, or went away meanwhile. */
async function readSearchable(
  workspace: AgentWorkspace,
  file: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if ((await workspace.stat(file, signal)).sizeBytes > fileBytes) {
      return undefined;
    }
    return tryDecode(await workspace.readFile(file, signal));
  } catch (error) {
    if (isCancelled(error) || signal.aborted || !isMassGenError(error)) {
      throw error;
    }
    return undefined;
  }
}

function literalMatcher(pattern: string): Matcher {
  return {
    async match(text): Promise<readonly number[]> {
      if (!text.includes(pattern)) {
        return [];
      }
      const numbers: number[] = [];
      text.split(/\r\n|\n|\r/).forEach((line, number) => {
        if (line.includes(pattern) && numbers.length <= matchLimit) {
          numbers.push(number);
        }
      });
      return numbers;
    },
    close: async () => undefined,
  };
}

function regexMatcher(pattern: string): Matcher {
  const worker = new RegexWorker(pattern, matchLimit + 1);
  const startedAt = performance.now();
  return {
    match: (text, signal) =>
      worker.match(text, Math.max(1, timeLimitMs - (performance.now() - startedAt)), signal),
    close: () => worker.close(),
  };
}

function relativeToFirstRoot(workspace: AgentWorkspace, file: string): string {
  const first = workspace.roots[0]?.shownPath;
  const isInside = first !== undefined && /^[\\/]/.test(file.slice(first.length));
  return isInside && file.startsWith(first) ? file.slice(first.length + 1) : file;
}

function describe(found: readonly string[], files: number): string {
  const all = files >= fileLimit ? ` Only the first ${fileLimit} files were searched.` : '';
  if (found.length === 0) {
    return `No line matches in ${files} files.${all}`;
  }
  const more =
    found.length > matchLimit ? [`[… more matches left out: search a smaller folder]`] : [];
  return [...found.slice(0, matchLimit), ...more].join('\n') + all;
}
