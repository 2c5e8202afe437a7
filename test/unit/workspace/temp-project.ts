// Real folders for tests: a project as a user has it, a place for runs, and a fingerprint of everything below a folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Logger } from '../../../src/core/ports/logger';
import type { AgentWorkspace } from '../../../src/core/ports/workspace';
import { createRunWorkspaces } from '../../../src/workspace/run-workspaces';
import type {
  LayeredWorkspaces,
  RunWorkspacesOptions,
} from '../../../src/workspace/run-workspaces';

export const never = new AbortController().signal;

const silentLogger: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A folder of its own that is removed when the test ends. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'massgen-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by relative path; text in UTF-8 or bytes. */
export function fill(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function git(folder: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  return execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Path, kind, mode, time of change and bytes of everything below a folder, `.git` included. */
export function fingerprint(folder: string): readonly string[] {
  const lines: string[] = [];
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const at = path === '' ? name : `${path}/${name}`;
      const stat = lstatSync(join(folder, at));
      const content = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, at)))
            .digest('hex')
        : stat.isSymbolicLink()
          ? readlinkSync(join(folder, at))
          : '';
      lines.push([at, stat.mode, stat.isDirectory() ? '' : stat.mtimeMs, content].join(' '));
      if (stat.isDirectory()) {
        visit(at);
      }
    }
  };
  visit('');
  return lines;
}

export interface TestRun {
  readonly dir: string;
  readonly workspaces: LayeredWorkspaces;
  readonly warnings: readonly string[];
  agent(slot?: number): Promise<AgentWorkspace>;
}

/** A run over one project folder (`proj`, writable) unless the options say otherwise. */
export function startRun(project: string, options: Partial<RunWorkspacesOptions> = {}): TestRun {
  const dir = options.dir ?? tempFolder();
  const warnings: string[] = [];
  const workspaces = createRunWorkspaces({
    runId: 'run-1',
    dir,
    folders: [{ name: 'proj', path: project, permission: 'write' }],
    unsaved: new Map(),
    logger: silentLogger,
    onWarning: (code) => warnings.push(code),
    ...options,
  });
  onTestFinished(async () => {
    await workspaces.close();
    workspaces.store.close();
  });
  return {
    dir,
    workspaces,
    warnings,
    agent: async (slot = 1) => workspaces.createAgentWorkspace(slot, never),
  };
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

export function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
