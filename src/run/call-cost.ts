import type { ModelCallEnded } from './call-events';
import type { Usage } from './facts';

/** The cost of a call is known, and there is no more to it; what costs nothing by token costs nothing however it ended. */
export function isWholeCost(
  usage: Usage,
  { costUsd, hasFees = false }: Pick<ModelCallEnded, 'costUsd' | 'hasFees'>,
): boolean {
  return costUsd !== null && !hasFees && (usage.isPartial !== true || costUsd === 0);
}
