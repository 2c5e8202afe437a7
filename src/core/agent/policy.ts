import type { TurnInput } from '../ports/agent-runtime';
import type { ModelCapabilities } from '../ports/model-backend';
import type { Tool } from '../ports/tool';
import type { Toolset } from '../coordination/inputs';

/**
 * Which ordinary tools an agent is offered in the next call. Whoever presents only reads files, because those of the
 * chosen answer are what was voted for, and carries out what the answer plans outside of them; whoever evaluates only
 * reads. Whether a place may be written is decided by the workspace, whether a command may run by a person. Tools that
 * are closed for now stay in sight, so that an agent can plan with them.
 */
export function usableTools(
  tools: readonly Tool[],
  purpose: TurnInput['purpose'],
  toolset: Toolset,
): readonly Tool[] {
  if (!toolset.hasOrdinaryTools) {
    return [];
  }
  switch (purpose) {
    case 'coordinate':
      return tools;
    case 'present':
      return tools.filter(({ access, effect }) => access === 'read' || effect === 'external');
    case 'evaluate':
      return tools.filter(({ access, effect }) => access === 'read' && effect === 'read');
  }
}

/** A model that cannot look at pictures is not offered a tool that gives them. */
export function isFor({ media = [] }: ModelCapabilities, { gives }: Tool): boolean {
  return gives === undefined || media.includes(gives);
}
