import type { AgentConfig } from '../config/run-config';
import type { BackendKind } from '../core/ports/backend-kind';
import type { RunStarted, WarningRaised } from '../run/events';
import { playerName } from '../run/selectors/player-name';
import { playerOf } from './player-of';

/** One warning for each agent that goes on with another model or program than its run began with. */
export function otherPlayers(
  { agents }: Pick<RunStarted, 'agents'>,
  team: readonly Pick<AgentConfig, 'backend'>[],
  kinds: readonly BackendKind[],
): readonly WarningRaised[] {
  return agents.flatMap((info, i) => {
    const backend = team[i]?.backend;
    if (backend === undefined) {
      return [];
    }
    const [before, now] = [playerName(info), playerName(playerOf(backend, kinds))];
    return now === before
      ? []
      : [
          {
            type: 'warning-raised' as const,
            code: 'model-changed',
            message: `agent${info.slot} goes on with ${now}. It began with ${before}.`,
          },
        ];
  });
}
