import * as vscode from 'vscode';
import type { Label, RunId } from '../../base/ids';

export const baseScheme = 'massgen-base';
export const proposedScheme = 'massgen-proposed';

/** One file of one run's review, or one part of it. */
export interface ProposalTarget {
  readonly runId: RunId;
  /** Label of the reviewed answer; part of the address so that every preview is a document of its own. */
  readonly label: Label;
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Id of a part; absent: the whole file. Not part of an address: all parts of a file are one document. */
  readonly hunk?: string;
}

/**
 * The path is that of the user's file (`livePath`, absolute), so that titles, icons, highlighting and the multi-file
 * diff take both sides for the same file; the query says what is meant.
 */
export function toProposalUri(
  scheme: typeof baseScheme | typeof proposedScheme,
  target: ProposalTarget,
  livePath: string | undefined,
): vscode.Uri {
  const { runId, label, root, path } = target;
  return vscode.Uri.from({
    scheme,
    path: livePath === undefined ? `/${root}/${path}` : vscode.Uri.file(livePath).path,
    query: new URLSearchParams({ run: runId, label, root, path }).toString(),
  });
}

/** `undefined` when the address is not one of ours. */
export function fromProposalUri(uri: vscode.Uri): ProposalTarget | undefined {
  if (uri.scheme !== baseScheme && uri.scheme !== proposedScheme) {
    return undefined;
  }
  const query = new URLSearchParams(uri.query);
  const [runId, label, root, path] = ['run', 'label', 'root', 'path'].map((name) =>
    query.get(name),
  );
  return runId && isLabel(label) && root && path ? { runId, label, root, path } : undefined;
}

export function isLabel(value: unknown): value is Label {
  return typeof value === 'string' && /^agent\d{1,4}\.\d{1,6}$/.test(value);
}
