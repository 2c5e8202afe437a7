import * as vscode from 'vscode';
import type { RunId } from '../../base/ids';

export const baseScheme = 'massgen-base';
export const proposedScheme = 'massgen-proposed';

/** One file of one run's review. */
export interface ProposalTarget {
  readonly runId: RunId;
  /** Label of the reviewed answer; part of the address so that every preview is a document of its own. */
  readonly label: string;
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
}

/** The path keeps the file's name and extension for titles, icons and highlighting. */
export function toProposalUri(
  scheme: typeof baseScheme | typeof proposedScheme,
  target: ProposalTarget,
): vscode.Uri {
  const { runId, label, root, path } = target;
  return vscode.Uri.from({
    scheme,
    path: `/${[runId, label, root].map(escapePart).join('/')}/${path}`,
  });
}

/** `undefined` when the address is not one of ours. */
export function fromProposalUri(uri: vscode.Uri): ProposalTarget | undefined {
  if (uri.scheme !== baseScheme && uri.scheme !== proposedScheme) {
    return undefined;
  }
  const match = /^\/([^/]+)\/([^/]+)\/([^/]+)\/(.+)$/s.exec(uri.path);
  const [, runId, label, root, path] = match ?? [];
  if (runId === undefined || label === undefined || root === undefined || path === undefined) {
    return undefined;
  }
  return {
    runId: decodeURIComponent(runId),
    label: decodeURIComponent(label),
    root: decodeURIComponent(root),
    path,
  };
}

function escapePart(part: string): string {
  return encodeURIComponent(part);
}
