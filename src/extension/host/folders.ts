import { basename, isAbsolute, join, normalize } from 'node:path';
import * as vscode from 'vscode';
import type { ContextFolder, RunConfig } from '../../app/app-contract';
import { encode } from '../review/document-text';
import type { Memory } from '../memory';

/**
 * The window's local folders as the agents would see them, then other paths that the team names. Names are unique. A
 * team can take the right to edit away from a folder of the window, not give it.
 */
export function contextFolders(
  memory: Memory,
  config: RunConfig | undefined,
): readonly ContextFolder[] {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({
      name,
      path: uri.fsPath,
      permission: memory.permissionOf(uri.fsPath),
    }));
  const start = folders[0]?.path;
  const named = (config?.contextPaths ?? [])
    .map(({ path, permission, protectedPaths }) => ({
      path: absolute(path, start),
      permission,
      protectedPaths,
    }))
    .filter(({ path }) => path !== undefined);
  const isReadOnly = (path: string): boolean =>
    named.some((one) => one.path === path && one.permission === 'read');
  const others = named.flatMap(({ path, permission, protectedPaths }) =>
    path === undefined || folders.some((folder) => folder.path === path)
      ? []
      : [{ name: basename(path), path, permission, protectedPaths }],
  );
  const all = folders.map((folder) => ({
    ...folder,
    ...(isReadOnly(folder.path) ? { permission: 'read' as const } : {}),
    protectedPaths: named.flatMap(({ path, protectedPaths }) =>
      path === folder.path ? protectedPaths : [],
    ),
  }));
  return withUniqueNames([...all, ...others]);
}

function absolute(path: string, start: string | undefined): string | undefined {
  if (isAbsolute(path)) {
    return normalize(path).replace(/(.)[/\\]$/, '$1');
  }
  return start === undefined ? undefined : join(start, path).replace(/(.)[/\\]$/, '$1');
}

function withUniqueNames(folders: readonly ContextFolder[]): readonly ContextFolder[] {
  const taken = new Set<string>();
  return folders.map((folder) => {
    let name = folder.name;
    for (let n = 2; taken.has(name); n++) name = `${folder.name}-${String(n)}`;
    taken.add(name);
    return { ...folder, name };
  });
}

/** True when the window has folders and none of them is on this machine's disk. */
export function isVirtualOnly(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every(({ uri }) => uri.scheme !== 'file');
}

/** Documents with unsaved changes that belong to the window's folders. */
export function unsavedDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) =>
      isDirty && uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
}

/** What saving them would write, by absolute path; nothing is saved. */
export async function unsavedBytes(): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = unsavedDocuments().map(
    async (document): Promise<readonly [string, Uint8Array]> => [
      document.uri.fsPath,
      await encode(document),
    ],
  );
  return new Map(await Promise.all(entries));
}
