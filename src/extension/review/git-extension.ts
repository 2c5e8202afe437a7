// The editor's own git extension, read as far as a commit needs it. Its answers are checked: it is another product part.
import * as vscode from 'vscode';

export interface GitRepository {
  /** Path of the git program that the editor uses. */
  readonly git: string;
  readonly folder: string;
  /** Name of the branch for people. */
  readonly branch: string;
  /** Lets the editor see what has changed. */
  refresh(): Promise<void>;
}

/** The repository that a file (absolute path) is in; `undefined` without git, or when it is in none that is open. */
export async function gitOf(path: string): Promise<GitRepository | undefined> {
  const extension = vscode.extensions.getExtension<unknown>('vscode.git');
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const api = call(await extension.activate(), 'getAPI', 1);
  const repository = call(api, 'getRepository', vscode.Uri.file(path));
  const git = field(field(api, 'git'), 'path');
  const root = field(repository, 'rootUri');
  if (typeof git !== 'string' || !(root instanceof vscode.Uri)) {
    return undefined;
  }
  const head = field(field(field(repository, 'state'), 'HEAD'), 'name');
  return {
    git,
    folder: root.fsPath,
    branch: typeof head === 'string' ? head : vscode.l10n.t('no branch'),
    async refresh() {
      await call(repository, 'status');
    },
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** `undefined` where there is no such function, or where it refuses, as the git extension does while it is off. */
function call(value: unknown, name: string, ...args: readonly unknown[]): unknown {
  const found = field(value, name);
  if (typeof found !== 'function') {
    return undefined;
  }
  try {
    return Reflect.apply(found, value, args) as unknown;
  } catch {
    return undefined;
  }
}
