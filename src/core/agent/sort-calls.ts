import type { TurnInput } from '../ports/agent-runtime';
import type { ToolCall } from '../ports/model-backend';
import type { Tool } from '../ports/tool';
import type { PlacedCall } from './tool-round';
import { isWorkflowTool } from './workflow-specs';

/** The calls of one response by what becomes of them. */
export interface SortedCalls {
  readonly ordinary: readonly PlacedCall[];
  readonly workflow: readonly PlacedCall[];
  /** Names nobody knows, when no known call accompanies them; else they count as ordinary and fail as such. */
  readonly unknown: readonly PlacedCall[];
}

export function sortCalls(
  calls: readonly ToolCall[],
  purpose: TurnInput['purpose'],
  tools: readonly Tool[],
): SortedCalls {
  const placed = calls.map((call, index) => ({ call, index }));
  const isWorkflow = ({ call }: PlacedCall): boolean => isWorkflowTool(call.name, purpose);
  const workflow = placed.filter(isWorkflow);
  const rest = placed.filter((one) => !isWorkflow(one));
  const isKnown =
    purpose !== 'coordinate' ||
    workflow.length > 0 ||
    rest.some(({ call }) => tools.some((tool) => tool.name === call.name));
  return { workflow, ordinary: isKnown ? rest : [], unknown: isKnown ? [] : rest };
}
