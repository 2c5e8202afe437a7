// The user's files as the review reads and writes them in the editor.
import { chmod } from 'node:fs/promises';
import * as vscode from 'vscode';
import { MassGenError } from '../../core/errors';
import type { FolderBounds, LiveFile, LiveFiles } from '../../core/ports/review';
import { encode, replaceChangedPart, textThatRoundTrips } from './document-text';

/** Whether a file that had no unsaved changes is saved after an edit of ours. Read at each write. */
export type SavesAfterEdit = () => boolean;

type FileContent = Parameters<LiveFiles['write']>[1];

/**
 * Open documents are read from their buffer when it has unsaved changes, and edited through the editor, so that the
 * edit can be undone there. Everything else, and any file whose text does not survive decoding and encoding, is handled
 * as bytes by `disk`.
 */
export class EditorFiles implements LiveFiles {
  readonly #disk: LiveFiles;
  readonly #savesAfterEdit: SavesAfterEdit;

  constructor(disk: LiveFiles, savesAfterEdit: SavesAfterEdit) {
    this.#disk = disk;
    this.#savesAfterEdit = savesAfterEdit;
  }

  async read(path: string, signal: AbortSignal): Promise<LiveFile | undefined> {
    const onDisk = await this.#disk.read(path, signal);
    const document = openDocument(path);
    if (document === undefined) {
      return onDisk;
    }
    const version = document.version;
    const isDirty = document.isDirty;
    const bytes = isDirty ? await encode(document) : onDisk?.bytes;
    if (bytes === undefined || (onDisk !== undefined && onDisk.kind !== 'file')) {
      return onDisk;
    }
    return {
      ...onDisk,
      kind: 'file',
      bytes,
      mode: onDisk?.mode ?? 0o644,
      isOpen: true,
      isDirty,
      token: toToken(onDisk?.token, version),
    };
  }

  async write(
    path: string,
    content: FileContent,
    expected: string | undefined,
    signal: AbortSignal,
  ): Promise<'written' | 'changed'> {
    const seen = lookAtDocument(path);
    const present = await this.read(path, signal);
    if (present?.token !== expected) {
      return 'changed';
    }
    const isFile = content.kind === undefined || content.kind === 'file';
    if (seen === undefined || present?.isOpen !== true || !isFile) {
      const onDisk = await this.#disk.read(path, signal);
      return this.#disk.write(path, content, onDisk?.token, signal);
    }
    const { document } = seen;
    const text = await textThatRoundTrips(content.bytes, document);
    if (text === undefined) {
      return this.#writeBytes(path, content, { document, signal });
    }
    const result = await this.#edit(seen, text, present);
    if (result === 'written' && content.mode !== present.mode) {
      await chmod(path, content.mode);
    }
    return result;
  }

  async remove(
    path: string,
    expected: string,
    emptyFolders: readonly string[],
    signal: AbortSignal,
  ): Promise<'removed' | 'changed'> {
    const present = await this.read(path, signal);
    if (present?.token !== expected || present.isDirty) {
      return 'changed';
    }
    const onDisk = present.isOpen ? await this.#disk.read(path, signal) : present;
    if (onDisk === undefined) {
      return 'changed';
    }
    return this.#disk.remove(path, onDisk.token, emptyFolders, signal);
  }

  /** An open document with unsaved changes keeps its name: they would stay behind under the old one. */
  async rename(
    from: string,
    to: string,
    expected: string,
    signal: AbortSignal,
  ): Promise<'written' | 'changed'> {
    const present = await this.read(from, signal);
    if (present?.token !== expected || present.isDirty) {
      return 'changed';
    }
    const onDisk = await this.#disk.read(from, signal);
    return (await this.#disk.rename?.(from, to, onDisk?.token ?? '', signal)) ?? 'changed';
  }

  async sweep(path: string, signal: AbortSignal): Promise<void> {
    await this.#disk.sweep?.(path, signal);
  }

  within(bounds: FolderBounds): LiveFiles {
    return new EditorFiles(this.#disk.within?.(bounds) ?? this.#disk, this.#savesAfterEdit);
  }

  /** Bytes that the document cannot hold; only while it has no unsaved changes, which would be lost. */
  async #writeBytes(
    path: string,
    content: FileContent,
    { document, signal }: { readonly document: vscode.TextDocument; readonly signal: AbortSignal },
  ): Promise<'written' | 'changed'> {
    if (document.isDirty) {
      throw new MassGenError(
        'workspace/not-text',
        'The file has unsaved changes, and the new content cannot be put into its editor as text.',
        { hint: 'Save or close the file, then accept again.' },
      );
    }
    const onDisk = await this.#disk.read(path, signal);
    return this.#disk.write(path, content, onDisk?.token, signal);
  }

  async #edit(
    { document, version }: SeenDocument,
    text: string,
    present: LiveFile,
  ): Promise<'written' | 'changed'> {
    // From here to the edit nothing waits, so that it is made for this version or refused by the editor.
    if (document.version !== version) {
      return 'changed';
    }
    const edit = new vscode.WorkspaceEdit();
    const replacement = replaceChangedPart(document, text);
    if (replacement !== undefined) {
      edit.replace(document.uri, replacement.range, replacement.text);
      // The editor refuses an edit made for another version of the document.
      if (!(await vscode.workspace.applyEdit(edit))) {
        return 'changed';
      }
    }
    if (!present.isDirty && this.#savesAfterEdit()) {
      await document.save();
    }
    return 'written';
  }
}

/** A document and its version before anything was read of it. */
interface SeenDocument {
  readonly document: vscode.TextDocument;
  readonly version: number;
}

function lookAtDocument(path: string): SeenDocument | undefined {
  const document = openDocument(path);
  return document === undefined ? undefined : { document, version: document.version };
}

function openDocument(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) =>
      document.uri.scheme === 'file' && document.uri.fsPath === path && !document.isClosed,
  );
}

function toToken(disk: string | undefined, version: number): string {
  return `${disk ?? 'none'}+v${String(version)}`;
}
