import * as vscode from 'vscode';

/** Present content of one address, and when it last changed (Unix ms). */
export interface ProposalContent {
  readonly bytes: Uint8Array;
  readonly changedAt: number;
}

/** Reads proposals and bases; answers `undefined` when there is no such file. */
export interface ProposalSource {
  read(uri: vscode.Uri): Promise<ProposalContent | undefined>;
}

/**
 * A read-only file system of proposals. Bytes are served as they are, so images and other encodings show like any
 * file. The shell is loaded with the first read.
 */
export class LazyFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  load: (() => Promise<{ readonly proposals: ProposalSource }>) | undefined;

  /** Tells open editors that these addresses have other content now. */
  changed(uris: readonly vscode.Uri[]): void {
    this.#changes.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, changedAt } = await this.#read(uri);
    return {
      type: vscode.FileType.File,
      ctime: changedAt,
      mtime: changedAt,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  async #read(uri: vscode.Uri): Promise<ProposalContent> {
    const content = await (await this.load?.())?.proposals.read(uri);
    if (content === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return content;
  }
}
