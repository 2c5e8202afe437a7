import type { Label } from '../../base/ids';
import type { CoordinationSettings } from '../coordination-settings';
import type { RunState } from '../state';
import { counted, joinNames, plural } from './formats';
import { agentName } from './names';
import { activeAgents, selectPhase, validBallots, voters } from './phases';
import { selectTally } from './tally';
import { isEnded } from './time';

/** More agents than this are counted instead of named. */
const mostNamed = 3;

/** Votes the rule asks for with `eligible` voters of weight 1, `null` when the most votes win whatever their number. */
export function neededVotes(settings: CoordinationSettings, eligible: number): number | null {
  switch (settings.rule) {
    case 'majority':
      return Math.floor(eligible / 2) + 1;
    case 'supermajority':
      return Math.ceil((settings.threshold ?? 2 / 3) * eligible - 1e-9);
    case 'unanimity':
      return eligible;
    case 'min_agreement':
      return settings.minAgreement;
    case 'weighted':
      return settings.threshold === null ? null : settings.threshold * eligible;
    case 'plurality':
      return null;
  }
}

/** The one sentence that says how the run is decided and what is still open. */
export function selectRuleLine(state: RunState, language: string): string {
  if (isEnded(state)) {
    return '';
  }
  switch (selectPhase(state)) {
    case 'drafts':
      return draftsLine(state);
    case 'votes':
      return votesLine(state, language);
    case 'result':
      return resultLine(state);
  }
}

function draftsLine(state: RunState): string {
  const agents = activeAgents(state);
  const drafts = agents.filter((agent) => agent.revisions.length > 0).length;
  const open = agents.length - drafts;
  if (agents.length === 1) {
    return 'One agent works; no vote is needed.';
  }
  const intro = state.settings.deferVotingUntilAllAnswered ? 'Drafts are written alone. ' : '';
  const count = `${drafts} of ${agents.length} is in`;
  const plurals = drafts === 1 ? count : `${drafts} of ${agents.length} are in`;
  return `${intro}${plurals}; ${open} ${plural(open, 'agent still works', 'agents still work')}.`;
}

function votesLine(state: RunState, language: string): string {
  const eligible = voters(state);
  const needed = neededVotes(state.settings, eligible.length);
  const open = eligible
    .filter((agent) => agent.ballot === null)
    .map(({ info }) => agentName(info.slot));
  const rule =
    needed === null
      ? `The most of ${counted(eligible.length, 'vote', 'votes')} win`
      : `${needed} of ${counted(eligible.length, 'vote', 'votes')} needed`;
  const prefix =
    state.poll.kind === 'runoff'
      ? 'Runoff between the candidates with the most votes. '
      : state.extraRounds > 0
        ? 'No candidate had enough votes; a further round runs. '
        : '';
  const who =
    open.length === 0
      ? ''
      : `; ${open.length > mostNamed ? `${open.length} agents` : joinNames(open, language)} still ${plural(open.length, 'votes', 'vote')}`;
  return `${prefix}${standing(state, language)}${rule}${who}.`;
}

/** `1 vote each for agent2.2 and agent3.1. `, only when at least two candidates have votes. */
function standing(state: RunState, language: string): string {
  const rows = selectTally(state).rows.filter((row) => row.votes > 0);
  const [first] = rows;
  if (first === undefined || rows.length < 2 || validBallots(state) < 2) {
    return '';
  }
  if (rows.every((row) => row.votes === first.votes)) {
    const labels: readonly Label[] = rows.map((row) => row.label);
    return `${counted(first.votes, 'vote', 'votes')} each for ${joinNames(labels, language)}. `;
  }
  return `${first.label} leads with ${counted(first.votes, 'vote', 'votes')}. `;
}

function resultLine(state: RunState): string {
  const { presentation, finalAnswer } = state;
  if (presentation !== null && finalAnswer === null) {
    return `${presentation.label} was chosen; ${agentName(presentation.slot)} writes the final answer.`;
  }
  return 'The poll is closed.';
}
