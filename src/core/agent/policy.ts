import type { TurnInput } from '../ports/agent-runtime';
import type { Tool } from '../ports/tool';
import type { Toolset } from '../coordination/inputs';

/**
 * Which ordinary tools an agent may use in the next call. Whoever presents only reads: the files of the chosen answer
 * are what was voted for. Whether a place may be written is decided by the workspace, whether a command may run by a
 * person.
 */
export function usableTools(
  tools: readonly Tool[],
  purpose: TurnInput['purpose'],
  toolset: Toolset,
): readonly Tool[] {
  if (!toolset.hasOrdinaryTools) {
    return [];
  }
  return purpose === 'present' ? tools.filter((tool) => tool.access === 'read') : tools;
}
