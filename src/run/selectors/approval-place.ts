import type { ContextRootInfo } from '../facts';
import { revealOnOneLine } from './visible-text';

/**
 * Where a command would run, for people: the user's folder that the agent's copy is of, with the path inside it, or
 * the whole path where no folder of the run is in it.
 */
export function approvalPlace(cwd: string, roots: readonly ContextRootInfo[]): string {
  const segments = cwd.split(/[\\/]/).filter((segment) => segment !== '');
  const found = segments.findLastIndex((segment) => roots.some((root) => root.name === segment));
  return revealOnOneLine(found < 0 ? cwd : segments.slice(found).join('/'));
}
