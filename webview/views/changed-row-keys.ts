// Rows of the changed files, and the keys that act on them.
import type { TargetedKeyboardEvent } from 'preact';
import type { ChangedFile } from '../../src/run/selectors/changed-files';
import type { ChangedPart } from '../../src/run/selectors/changed-parts';

export interface TreeRow {
  readonly key: string;
  readonly file: ChangedFile;
  /** Absent: the row of the file itself. */
  readonly part?: ChangedPart;
  /** For files with parts. */
  readonly isOpen?: boolean;
  /** Its place among its siblings, from 1, and their number. */
  readonly place: readonly [position: number, of: number];
}

export type Deed =
  | 'open-diff'
  | 'open-conflict'
  | 'accept-file'
  | 'reject-file'
  | 'undo-file'
  | 'open-alternatives'
  | 'open-why';

interface RowKeys {
  readonly send: (type: Deed) => void;
  readonly onToggle: (file: ChangedFile) => void;
  /** Nothing can be decided. */
  readonly isReplay: boolean;
}

/** A conflict is settled in its own view; accepting it again would find the same conflict. */
export function acceptOf({ file, part }: TreeRow): Deed {
  return (part ?? file).decision === 'conflict' ? 'open-conflict' : 'accept-file';
}

export function isUndecided({ file, part }: TreeRow): boolean {
  const { decision } = part ?? file;
  return decision === 'pending' || decision === 'conflict';
}

/** Keys of the row itself; those of a menu inside it are its own. */
export function onRowKey(
  event: TargetedKeyboardEvent<HTMLLIElement>,
  row: TreeRow,
  { send, onToggle, isReplay }: RowKeys,
): void {
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (isModified || event.target !== event.currentTarget) {
    return;
  }
  const deed = event.key === 'Enter' ? 'open-diff' : isReplay ? undefined : deedOf(event.key, row);
  if (deed !== undefined) {
    send(deed);
  } else if (isMenuKey(event)) {
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
  } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    event.preventDefault();
    moveInTree(event.key, event.currentTarget, row, onToggle);
  }
}

function deedOf(key: string, row: TreeRow): Deed | undefined {
  const isOpen = isUndecided(row);
  switch (key.toLowerCase()) {
    case 'a':
      return isOpen ? acceptOf(row) : undefined;
    case 'r':
      return isOpen && !row.file.isDeliverable ? 'reject-file' : undefined;
    case 'u':
      return isOpen ? undefined : 'undo-file';
    default:
      return undefined;
  }
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ContextMenu' || (shiftKey && key === 'F10');
}

/** Right opens a file, and goes on to its first part; left closes it, or goes from a part back to its file. */
function moveInTree(
  key: 'ArrowRight' | 'ArrowLeft',
  li: HTMLLIElement,
  row: TreeRow,
  onToggle: RowKeys['onToggle'],
): void {
  const isRight = key === 'ArrowRight';
  if (row.isOpen === !isRight) {
    onToggle(row.file);
  } else if (isRight && row.isOpen === true) {
    focusRow(li.nextElementSibling);
  } else if (!isRight && row.part !== undefined) {
    focusRow(fileRowOf(li));
  }
}

function fileRowOf(part: Element): Element | null {
  let row = part.previousElementSibling;
  while (row !== null && row.getAttribute('aria-level') !== '1') {
    row = row.previousElementSibling;
  }
  return row;
}

function focusRow(row: Element | null): void {
  if (row instanceof HTMLElement) {
    row.focus();
  }
}
