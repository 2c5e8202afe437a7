import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import type { ContextFolder } from '../../app/app-contract';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import type { Conversation } from './conversation';

type Permission = ContextFolder['permission'];

/** At the start: whether the agents may see the current folder. Reading is the least that is of use, so it is the default. */
export async function askForFolder(talk: Conversation): Promise<void> {
  const { world, prompt, terminal, options } = talk.setting;
  const cwd = resolve(world.cwd);
  const isSeen = talk.folders.some(({ path }) => isInside(cwd, path));
  if (isSeen || options.project !== undefined || options.cwdContext !== undefined) {
    return;
  }
  const isWide = cwd === resolve(world.home) || dirname(cwd) === cwd;
  terminal.write(
    `The agents see ${talk.folders.length === 0 ? 'none of your folders' : 'not this folder'}. May they see ${revealOnOneLine(cwd)}?\n` +
      '  r  read it              w  read it and propose changes\n' +
      '  p  like w, with paths that nobody may change\n' +
      '  c  another folder       n  no\n',
  );
  const usual = isWide ? 'n' : 'r';
  const said = await prompt.choose(`[r/w/p/c/n, Enter: ${usual}] `, world.interrupted);
  const answer = said === undefined || said === '' ? usual : said.toLowerCase().charAt(0);
  switch (answer) {
    case 'y':
    case 'r':
      return addFolder(talk, cwd, { permission: 'read' });
    case 'w':
      return addFolder(talk, cwd, { permission: 'write' });
    case 'p':
      return addFolder(talk, cwd, { permission: 'write', protectedPaths: await askForPaths(talk) });
    case 'c':
      return askForOther(talk);
    case 'n':
      return;
    default:
      terminal.write('That is none of the choices; nothing was added. /context add PATH does.\n');
  }
}

async function askForPaths({ setting }: Conversation): Promise<readonly string[]> {
  const { prompt, terminal, world } = setting;
  terminal.write('Paths inside it that nobody may change, one per line; an empty line ends.\n');
  const paths: string[] = [];
  for (;;) {
    const path = await prompt.choose('  ', world.interrupted);
    if (path === undefined || path === '') {
      return paths;
    }
    paths.push(path);
  }
}

async function askForOther(talk: Conversation): Promise<void> {
  const { prompt, world } = talk.setting;
  const path = await prompt.choose('Folder or file: ', world.interrupted);
  if (path === undefined || path === '') {
    return;
  }
  const said = await prompt.choose('May they propose changes to it? [y/N] ', world.interrupted);
  const permission = said?.toLowerCase().startsWith('y') === true ? 'write' : 'read';
  await addFolder(talk, path, { permission });
}

/** `/context`: what is seen; `/context add PATH [write]`, `/context remove PATH`. */
export async function contextCommand(talk: Conversation, operand: string): Promise<void> {
  const { terminal } = talk.setting;
  const [, verb = '', rest = ''] = /^(add|remove)\s+([^]+)$/.exec(operand) ?? [];
  if (verb === 'add') {
    const [, path = rest, word = 'read'] = /^([^]+?)\s+(read|write|ro|rw)$/.exec(rest) ?? [];
    const permission = word === 'write' || word === 'rw' ? 'write' : 'read';
    return addFolder(talk, path, { permission });
  }
  if (verb === 'remove') {
    removeFolder(talk, rest);
    return;
  }
  if (operand !== '') {
    terminal.write('Write /context add PATH, /context add PATH write, or /context remove PATH.\n');
    return;
  }
  folderLines(talk.folders).forEach((line) => terminal.write(`  ${revealOnOneLine(line)}\n`));
}

export function folderLines(folders: readonly ContextFolder[]): readonly string[] {
  return folders.length === 0
    ? ['none; agents have only their private workspaces']
    : folders.map(({ path, permission, protectedPaths = [] }) => {
        const kept = protectedPaths.length === 0 ? '' : `, except ${protectedPaths.join(', ')}`;
        const right = permission === 'write' ? `read, and proposed changes${kept}` : 'read';
        return `${path} (${right})`;
      });
}

async function addFolder(
  talk: Conversation,
  written: string,
  right: Pick<ContextFolder, 'permission' | 'protectedPaths'>,
): Promise<void> {
  const { world, terminal } = talk.setting;
  const path = resolve(world.cwd, written.replace(/^~(?=$|[\\/])/, world.home));
  if ((await stat(path).catch(() => undefined)) === undefined) {
    terminal.write(`There is nothing at ${revealOnOneLine(path)}.\n`);
    return;
  }
  const folder: ContextFolder = { name: basename(path) || 'root', path, ...right };
  talk.added = [...talk.added.filter((one) => one.path !== path), folder];
  talk.folders = [...talk.folders.filter((one) => one.path !== path), folder];
  terminal.write(
    `Seen from the next turn on, ${words[right.permission]}: ${revealOnOneLine(path)}\n`,
  );
}

const words: Readonly<Record<Permission, string>> = {
  read: 'to read',
  write: 'to read and to propose changes',
};

function removeFolder(talk: Conversation, written: string): void {
  const { world, terminal } = talk.setting;
  const path = resolve(world.cwd, written);
  const isOwn = talk.added.some((one) => one.path === path);
  talk.added = talk.added.filter((one) => one.path !== path);
  talk.folders = talk.folders.filter((one) => !isOwn || one.path !== path);
  terminal.write(
    isOwn
      ? `The agents do not see ${revealOnOneLine(path)} any more from the next turn on.\n`
      : `${revealOnOneLine(path)} was not added here; the team file says what else is seen.\n`,
  );
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return !inner.startsWith('..') && !isAbsolute(inner);
}
