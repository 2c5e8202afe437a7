import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { isCancelled, isMassGenError } from '../../core/errors';
import type { AgentWorkspace } from '../../core/ports/workspace';

/** Where the window's own folders are in the view of one agent. */
export interface ViewPaths {
  /** The user's own file behind a path as the agent writes it; `undefined` for a file that is none of the window's. */
  toUser(path: string): vscode.Uri | undefined;
  /** A file as the agent sees it, short inside of its first root; `undefined` for what it may not see. */
  toAgent(uri: vscode.Uri, signal: AbortSignal): Promise<string | undefined>;
}

interface Pair {
  readonly shownPath: string;
  readonly userPath: string;
}

/** Roots of an agent have the names of the window's folders. */
export function viewPaths(workspace: AgentWorkspace): ViewPaths {
  const pairs = workspace.roots.flatMap(({ name, kind, shownPath }): readonly Pair[] => {
    const folder = (vscode.workspace.workspaceFolders ?? []).find(
      (one) => one.uri.scheme === 'file' && one.name === name,
    );
    return kind !== 'context' || folder === undefined
      ? []
      : [{ shownPath, userPath: folder.uri.fsPath }];
  });
  const first = workspace.roots[0]?.shownPath ?? '';
  return {
    toUser(path): vscode.Uri | undefined {
      const full = isAbsolute(path) ? path : `${first}/${path}`;
      for (const { shownPath, userPath } of pairs) {
        const inside = below(shownPath, full);
        if (inside !== undefined) {
          return vscode.Uri.joinPath(vscode.Uri.file(userPath), inside);
        }
      }
      return undefined;
    },
    async toAgent(uri, signal): Promise<string | undefined> {
      const pair = pairs.find(({ userPath }) => below(userPath, uri.fsPath) !== undefined);
      const inside = pair === undefined ? undefined : below(pair.userPath, uri.fsPath);
      if (uri.scheme !== 'file' || pair === undefined || inside === undefined) {
        return undefined;
      }
      const shown = `${pair.shownPath}/${inside}`;
      return (await canSee(workspace, shown, signal))
        ? pair.shownPath === first
          ? inside
          : shown
        : undefined;
    },
  };
}

/** Secrets and hidden files of the user are not there for an agent, whatever the editor knows of them. */
async function canSee(
  workspace: AgentWorkspace,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await workspace.stat(path, signal);
    return true;
  } catch (error) {
    if (signal.aborted || isCancelled(error) || !isMassGenError(error)) {
      throw error;
    }
    return false;
  }
}

function isAbsolute(path: string): boolean {
  return /^([\\/]|[A-Za-z]:[\\/])/.test(path);
}

/** The part below a folder, with `/`; empty for the folder itself, `undefined` outside of it. */
function below(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    ? undefined
    : inside.replaceAll(sep, '/');
}
