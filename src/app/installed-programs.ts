// Agent programs that are on this machine. They are looked for by their names alone; none is started for that.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { clip } from '../base/text';
import type { InstalledProgram } from './app-contract';

interface Wanted {
  readonly title: string;
  readonly program: string;
  /** `backend.type`; `acp` where the program has none of its own. */
  readonly type: string;
  /** What makes it speak the protocol. */
  readonly args: readonly string[];
}

const wanted: readonly Wanted[] = [
  { title: 'Claude Code', program: 'claude', type: 'claude_code', args: [] },
  { title: 'Codex', program: 'codex', type: 'codex', args: [] },
  { title: 'Gemini CLI', program: 'gemini', type: 'acp', args: ['--acp'] },
  { title: 'OpenCode', program: 'opencode', type: 'acp', args: ['acp'] },
  { title: 'Goose', program: 'goose', type: 'acp', args: ['acp'] },
];

export interface ProgramPlaces {
  /** A value of PATH. */
  readonly searchPath: string;
  /** Folders in which installers put programs although PATH may lack them, as in a session without a terminal. */
  readonly furtherFolders: readonly string[];
  /** Whole paths that the user has set, by `backend.type`; they come first. */
  readonly paths: Readonly<Record<string, string>>;
}

export async function findInstalledPrograms(
  places: ProgramPlaces,
): Promise<readonly InstalledProgram[]> {
  const found = await Promise.all(wanted.map(async (each) => find(each, places)));
  return found.filter((each) => each !== undefined);
}

async function find(
  { title, program, type, args }: Wanted,
  { searchPath, furtherFolders, paths }: ProgramPlaces,
): Promise<InstalledProgram | undefined> {
  const given = paths[type];
  if (given !== undefined) {
    // The path itself is applied to every agent of the type, so that no file has to name it.
    return (await isProgram(given)) ? { title, type, path: given, command: [given] } : undefined;
  }
  const onPath = await firstOf(inFolders(program, searchPath.split(delimiter)));
  if (onPath !== undefined) {
    return { title, type, path: onPath, command: [program, ...args] };
  }
  const elsewhere = await firstOf(inFolders(program, furtherFolders));
  return elsewhere === undefined
    ? undefined
    : { title, type, path: elsewhere, command: [elsewhere, ...args] };
}

function inFolders(program: string, folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => isAbsolute(folder)).map((folder) => join(folder, program));
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await isProgram(path)) {
      return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const versionMs = 15_000;

/**
 * What the program says of its version, on one line. Starts it, so that it is called on a user's action only; `undefined`
 * when it says nothing, fails or takes too long. Rejects never; an abort ends the program.
 */
export async function programVersion(
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { signal, timeout: versionMs, maxBuffer: 65_536, encoding: 'utf8' } as const;
    execFile(path, ['--version'], options, (error, stdout) => {
      const [line = ''] = error === null ? stdout.trim().split('\n', 1) : [];
      resolve(line === '' ? undefined : clip(line.trim(), 80));
    });
  });
}
