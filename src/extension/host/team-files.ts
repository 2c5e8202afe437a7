import { basename, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { readRegularFile } from '../../app/read-regular-file';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { isTeamFile } from '../language/team-file';
import { readSetting } from './read-settings';

/** A team file as it is now. An open editor's text counts, saved or not. */
export interface TeamFile {
  readonly path: string;
  readonly text: string;
  /** Files of the window's folders come with the project and are not trusted; the user's own are. */
  readonly isFromWorkspace: boolean;
}

const globs = ['**/*.massgen.{yaml,yml}', '**/.massgen/*.{yaml,yml}'];

/** Far more than a team file may have, so that one that is only too large is still told so. */
const maxBytes = 16 * 1024 * 1024;

/** Most team files that are looked at in one window. */
const limit = 50;

/** Finds the team files of the window's folders and the user's own in the extension's storage. */
export class TeamFiles implements Disposable {
  readonly #ownFolder: string;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<void>());
  #found: Promise<readonly TeamFile[]> | undefined;

  constructor(ownFolder: string) {
    this.#ownFolder = ownFolder;
    const changed = (): void => this.changed();
    for (const glob of globs) {
      const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(glob));
      this.#store.add(watcher.onDidChange(changed));
      this.#store.add(watcher.onDidCreate(changed));
      this.#store.add(watcher.onDidDelete(changed));
    }
    for (const listening of [
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('massgen.team')) changed();
      }),
    ]) {
      this.#store.add(listening);
    }
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isTeamFile(document.uri)) changed();
      }),
    );
    // From now on the text on the disk counts again, which may be another one.
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (isTeamFile(document.uri)) changed();
      }),
    );
  }

  /** Folder for the user's own teams; outside every project. */
  get ownFolder(): string {
    return this.#ownFolder;
  }

  onDidChange(listener: () => void): Disposable {
    return this.#changes.on(listener);
  }

  /** Says that a team file may have other content now. */
  changed(): void {
    this.forget();
    this.#changes.fire();
  }

  /** The next `list` looks at the disk again: files outside of the window's folders are not watched. */
  forget(): void {
    this.#found = undefined;
  }

  async list(): Promise<readonly TeamFile[]> {
    this.#found ??= this.#readAll();
    return this.#found;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #readAll(): Promise<readonly TeamFile[]> {
    const own = vscode.Uri.file(this.#ownFolder);
    const [inFolders, ownNames] = await Promise.all([
      vscode.workspace.isTrusted ? this.#find() : [],
      vscode.workspace.fs.readDirectory(own).then(
        (entries) => entries.map(([name]) => name),
        () => [],
      ),
    ]);
    const ownFiles = ownNames.filter((name) => name.endsWith('.massgen.yaml')).sort();
    const files = await Promise.all([
      ...inFolders.map((path) => read(path, true)),
      ...ownFiles.map((name) => read(join(this.#ownFolder, name), false)),
    ]);
    return files.filter((file) => file !== undefined);
  }

  async #find(): Promise<readonly string[]> {
    // A search without a folder also waits for folders that are on no disk, and these may never answer.
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => uri.scheme === 'file',
    );
    const found = await Promise.all(
      folders.flatMap((folder) =>
        globs.map((glob) =>
          vscode.workspace.findFiles(
            new vscode.RelativePattern(folder, glob),
            '**/{node_modules,massgen_logs}/**',
            limit,
          ),
        ),
      ),
    );
    const paths = found
      .flat()
      .filter(isTeamFile)
      .map(({ fsPath }) => fsPath);
    const configured = configuredTeamFile();
    return [...new Set([...(configured === undefined ? [] : [configured]), ...paths.sort()])];
  }
}

/** The file that the setting names, absolute; `undefined` when it names none. */
export function configuredTeamFile(): string | undefined {
  const path = readSetting('team');
  if (path === '') {
    return undefined;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return isAbsolute(path) || folder === undefined ? path : join(folder, path);
}

/** E.g. `review` for `review.massgen.yaml`. */
export function teamFileName(path: string): string {
  return basename(path).replace(/(\.massgen)?\.ya?ml$/i, '');
}

async function read(path: string, isFromWorkspace: boolean): Promise<TeamFile | undefined> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'file' && uri.fsPath === path && !isClosed,
  );
  if (open !== undefined) {
    return { path, text: open.getText(), isFromWorkspace };
  }
  try {
    const bytes = await readRegularFile(path, maxBytes);
    return bytes === undefined
      ? undefined
      : {
          path,
          text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
          isFromWorkspace,
        };
  } catch {
    return undefined;
  }
}
