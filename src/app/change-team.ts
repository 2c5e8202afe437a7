import { deepFreeze } from '../config/freeze';
import type { RunConfig } from '../config/run-config';

export interface TeamOverrides {
  /** The id of the agent that works alone; absent: all do. */
  readonly onlyAgent?: string;
  /** One answer of each agent, then the vote. */
  readonly isQuick: boolean;
  /** Longest time of the run, ms; absent: as the team says. */
  readonly durationMs?: number;
}

/** The team as somebody wants it for one run. */
export function overrideTeam(config: RunConfig, wish: TeamOverrides): RunConfig {
  const { onlyAgent, isQuick, durationMs } = wish;
  const isAlone = onlyAgent !== undefined;
  return deepFreeze({
    ...config,
    agents: isAlone ? config.agents.filter(({ id }) => id === onlyAgent) : config.agents,
    settings: {
      ...config.settings,
      ...(isAlone ? { mode: 'voting' as const, presenterSlot: null } : {}),
      ...(isQuick ? { maxNewAnswersPerAgent: 1, deferVotingUntilAllAnswered: true } : {}),
    },
    caps: { ...config.caps, ...(durationMs === undefined ? {} : { durationMs }) },
  });
}
