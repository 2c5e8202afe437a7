import { sha256Hex } from '../../base/sha256';
import { toolResultsFolder } from '../../base/tool-results';
import { isCancelled } from '../errors';
import type { Tool, ToolResult } from '../ports/tool';
import type { AgentWorkspace } from '../ports/workspace';
import { cutMiddle } from './prompt/budget';

/** Of a result, what a model gets in any case. */
const shownChars = 48_000;
/** Files of the agent's own can be read in parts, so they are not kept twice. */
const ownFileChars = 200_000;
/** What is kept of a result at most. */
const keptChars = 16_000_000;

export interface LongResultParts {
  readonly workspace: AgentWorkspace;
  /** It is about files that the agent can read in parts by itself. */
  readonly isOwnFile: boolean;
}

/**
 * Keeps a result that is too long for a model as a file in the agent's private folder, and leaves head, tail and the
 * path. `isKept`: there is such a file. Rejects only with `cancelled/*`.
 */
export async function keepLong(
  { whole, ...result }: ToolResult,
  { workspace, isOwnFile }: LongResultParts,
  signal: AbortSignal,
): Promise<{ readonly result: ToolResult; readonly isKept: boolean }> {
  const limit = isOwnFile ? ownFileChars : shownChars;
  const isCut = result.text.length > limit;
  if (whole === undefined && !isCut) {
    return { result, isKept: false };
  }
  const path = isOwnFile ? undefined : await keep(whole ?? result.text, workspace, signal);
  const smaller = 'Ask for a smaller part.';
  if (path === undefined) {
    return { result: { ...result, text: cutMiddle(result.text, limit, smaller) }, isKept: false };
  }
  const pointer = `The whole of it is in ${path}: search it or read it in parts.`;
  const text = isCut ? cutMiddle(result.text, limit, pointer) : `${result.text}\n[${pointer}]`;
  return { result: { ...result, text }, isKept: true };
}

/** Whether a call was about files that the agent can read in parts by itself. */
export function isAboutOwnFile(tool: Tool, input: unknown): boolean {
  return tool.access === 'read' && (tool.pathsOf?.(input) ?? []).length > 0;
}

/** The path of the file; `undefined` when it could not be written. */
async function keep(
  text: string,
  workspace: AgentWorkspace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = workspace.roots.find(({ kind }) => kind === 'private')?.shownPath;
  if (folder === undefined) {
    return undefined;
  }
  // The same result has the same name, so that a repetition is seen as one.
  const path = `${folder}/${toolResultsFolder}/${sha256Hex(text).slice(0, 12)}.txt`;
  const kept =
    text.length <= keptChars
      ? text
      : `${text.slice(0, keptChars)}\n[… cut after ${keptChars} characters]\n`;
  try {
    await workspace.writeFile(path, new TextEncoder().encode(kept), signal);
    return path;
  } catch (error) {
    if (signal.aborted || isCancelled(error)) {
      throw error;
    }
    return undefined;
  }
}
