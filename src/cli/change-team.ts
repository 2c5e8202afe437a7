import { overrideTeam } from '../app/change-team';
import { nearest } from '../base/text';
import { UsageError } from './failure';
import type { Team } from './find-team';
import type { TeamChanges } from './invocation';

/** The team with what the line says otherwise than its file. Throws `UsageError` for an agent that it does not have. */
export function withChanges(team: Team, changes: TeamChanges): Team {
  const { singleAgent, isQuick, timeoutSeconds } = changes;
  if (singleAgent === undefined && !isQuick && timeoutSeconds === undefined) {
    return team;
  }
  const only = singleAgent === undefined ? undefined : agentOf(team, singleAgent.id);
  return overrideTeam(team, {
    isQuick,
    ...(only === undefined ? {} : { onlyAgent: only }),
    ...(timeoutSeconds === undefined ? {} : { durationMs: timeoutSeconds * 1000 }),
  });
}

function agentOf({ agents }: Team, id: string | undefined): string | undefined {
  const ids = agents.map((agent) => agent.id);
  if (id === undefined || ids.includes(id)) {
    return id ?? ids[0];
  }
  const near = nearest(id, ids);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(
    `The team has no agent ${id}.${question}`,
    `Its agents: ${ids.join(', ')}. The first one is taken by --single-agent at the end of the line.`,
  );
}
