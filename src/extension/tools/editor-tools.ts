import type { Tool } from '../../core/ports/tool';
import { readSetting } from '../host/read-settings';
import { findReferences, findSymbol } from './find-symbols';
import { getProblems } from './get-problems';
import { switchedOnTools } from './lm-tools';

/** What only the editor can offer to agents, as it is when a run starts. */
export function editorTools(): readonly Tool[] {
  return [getProblems, findSymbol, findReferences, ...switchedOnTools(readSetting('tools.editor'))];
}
