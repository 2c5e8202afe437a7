import type { BackendSettings } from '../core/ports/backend-kind';
import type { AgentBlock } from './schema/agent-block';
import type { TeamFile } from './schema/team-file';

export function agentsOf(team: TeamFile): readonly AgentBlock[] {
  return team.agents ?? (team.agent === undefined ? [] : [team.agent]);
}

/** Those that answer and vote: all but an agent that judges. */
export function membersOf(team: TeamFile): readonly AgentBlock[] {
  const judge = team.orchestrator?.consensus?.judge;
  return agentsOf(team).filter(({ id }) => id === undefined || id !== judge);
}

/** The model that is asked about a split; `undefined`: none. */
export function judgeOf(team: TeamFile): BackendSettings | undefined {
  const judge = team.orchestrator?.consensus?.judge;
  return typeof judge === 'string'
    ? agentsOf(team).find(({ id }) => id === judge)?.backend?.settings
    : judge?.settings;
}
