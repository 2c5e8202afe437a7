// Starts the program of a server: confined where that is possible, else in an empty folder of its own.
import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isMassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { AgentWorkspace, Program } from '../../core/ports/workspace';
import { startBareProgram } from './bare-program';
import type { Expander } from './expand';

export interface StartedServer {
  readonly program: Program;
  readonly isConfined: boolean;
}

export interface StartParts {
  readonly workspace: AgentWorkspace;
  readonly expander: Expander;
  readonly workspaceFolder: string;
  readonly userHome: string;
  /** Folder in the user's home in which each server that is fetched when it starts has a folder for what it fetched. */
  readonly cacheDir: string;
}

type Stdio = Extract<ToolServerConfig['transport'], { readonly type: 'stdio' }>;

/** Programs that fetch another program and start it. */
const fetchers = ['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'bun', 'deno', 'uvx', 'uv', 'pipx'];

/** What marks the top of a project of code. */
const projectFiles = ['package.json', 'pyproject.toml', 'requirements.txt', 'deno.json', 'go.mod'];

/** Throws `config/missing-secret`, and `tool/failed` when it does not start. */
export async function startServerProgram(
  { hosts }: Pick<ToolServerConfig, 'hosts'>,
  transport: Stdio,
  parts: StartParts,
  signal: AbortSignal,
): Promise<StartedServer> {
  const { workspace, expander, workspaceFolder } = parts;
  const [first, ...rest] = transport.command;
  const argv: readonly [string, ...string[]] = [
    await expander.text(first),
    ...(await expander.texts(rest)),
  ];
  const cache = await cacheFor(transport, parts.cacheDir);
  const own = await expander.members(transport.environment);
  const environment = { ...(cache === undefined ? {} : cacheVariables(cache)), ...own };
  const cwd = await expander.text(transport.cwd ?? workspaceFolder);
  try {
    const program = await workspace.startProgram(
      {
        ...{ argv, environment },
        cwd: resolve(workspaceFolder, cwd),
        ownFolders: cache === undefined ? [] : [cache],
        hosts: hosts ?? 'any-public',
        named: await namedBy(argv, parts),
      },
      signal,
    );
    return { program, isConfined: true };
  } catch (error) {
    if (!isMassGenError(error, 'tool/unconfined')) {
      throw error;
    }
  }
  signal.throwIfAborted();
  return { program: await startBareProgram({ argv, environment }, signal), isConfined: false };
}

/** A folder for this very entry alone: what one server fetched is nothing that another one starts. */
async function cacheFor({ command }: Stdio, cacheDir: string): Promise<string | undefined> {
  if (!fetchers.includes(basename(command[0]).replace(/\.(cmd|exe)$/i, ''))) {
    return undefined;
  }
  const hash = createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 16);
  const folder = join(cacheDir, hash);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function cacheVariables(folder: string): Readonly<Record<string, string>> {
  return {
    XDG_CACHE_HOME: folder,
    npm_config_cache: join(folder, 'npm'),
    npm_config_update_notifier: 'false',
    UV_CACHE_DIR: join(folder, 'uv'),
    UV_TOOL_DIR: join(folder, 'uv-tools'),
    UV_PYTHON_INSTALL_DIR: join(folder, 'uv-python'),
    PIPX_HOME: join(folder, 'pipx'),
    DENO_DIR: join(folder, 'deno'),
  };
}

/** Files and folders that the command names, each with the project of code around it, as far as they are in the home. */
async function namedBy(
  argv: readonly string[],
  { workspace, userHome }: StartParts,
): Promise<readonly string[]> {
  const roots = workspace.roots.map(({ shownPath }) => shownPath);
  const isSeen = (path: string): boolean => roots.some((root) => isWithin(path, root));
  const paths = argv
    .map((word) => /^(?:--?[\w-]+=)?(.*)$/s.exec(word)?.[1] ?? '')
    .filter((word) => isAbsolute(word))
    .map((word) => resolve(word))
    .filter((word) => isWithin(word, userHome) && word !== userHome)
    .filter((word) => !isSeen(word));
  const found: string[] = [];
  for (const path of paths) {
    if ((await kindOf(path)) !== undefined) {
      found.push(await projectAround(path, userHome));
    }
  }
  return [...new Set(found)].filter((path) => !roots.some((root) => isWithin(root, path)));
}

async function projectAround(path: string, userHome: string): Promise<string> {
  // A folder that is named is what the server is for; a file is a part of something.
  if ((await kindOf(path)) === 'folder') {
    return path;
  }
  for (let folder = dirname(path); folder !== userHome; folder = dirname(folder)) {
    if (!isWithin(folder, userHome)) {
      break;
    }
    const marks = projectFiles.map((name) => kindOf(join(folder, name)));
    if ((await Promise.all(marks)).includes('file')) {
      return folder;
    }
  }
  return path;
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? undefined : found.isDirectory() ? 'folder' : 'file';
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
