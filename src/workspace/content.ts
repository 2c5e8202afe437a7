import { createHash } from 'node:crypto';

/** Content of one path as manifests and layers hold it; the bytes are in the pack under `sha256`. */
export interface FileContent {
  readonly kind: 'file';
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Permission bits, 0o777 only. */
  readonly mode: number;
}

export interface LinkContent {
  readonly kind: 'link';
  readonly target: string;
}

/** A folder with nothing in it. Folders that hold something are there because of what they hold. */
export interface FolderContent {
  readonly kind: 'folder';
  /** Permission bits, 0o777 only. */
  readonly mode: number;
}

export type Content = FileContent | LinkContent | FolderContent;

/** What an agent did to a path. A deletion hides whatever the layers below hold there. */
export type UpperEntry = Content | { readonly kind: 'deleted' };

/**
 * What a path held before the agents changed it: `null` when there was nothing, `unknown` when the file had already
 * moved on by the time its bytes were needed.
 */
export type BaseContent = Content | { readonly kind: 'unknown' } | null;

export const deleted: UpperEntry = { kind: 'deleted' };

export function sha256OfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function isSameContent(a: UpperEntry | BaseContent, b: UpperEntry | BaseContent): boolean {
  if (a === null || b === null || a.kind === 'deleted' || b.kind === 'deleted') {
    return isNothing(a) && isNothing(b);
  }
  switch (a.kind) {
    case 'file':
      return b.kind === 'file' && a.sha256 === b.sha256 && a.mode === b.mode;
    case 'link':
      return b.kind === 'link' && a.target === b.target;
    case 'folder':
      return b.kind === 'folder' && a.mode === b.mode;
    case 'unknown':
      return false;
  }
}

function isNothing(content: UpperEntry | BaseContent): boolean {
  return content === null || content.kind === 'deleted';
}
