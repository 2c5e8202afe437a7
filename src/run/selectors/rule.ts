import type { Label, Slot } from '../../base/ids';
import { neededWeight } from '../decision/rules';
import { voteWeights } from '../decision/weights';
import type { RunState } from '../state';
import { selectCheckProgress } from './check-marks';
import { counted, formatCount, joinNames, plural } from './formats';
import { agentName } from './names';
import { activeAgents, selectPhase, validBallots, voters } from './phases';
import { selectTally } from './tally';
import { isEnded } from './time';

/** More agents than this are counted instead of named. */
const mostNamed = 3;

/** The one sentence that says how the run is decided and what is still open. */
export function selectRuleLine(state: RunState, language: string): string {
  if (isEnded(state)) {
    return '';
  }
  switch (selectPhase(state)) {
    case 'drafts':
      return draftsLine(state);
    case 'checks':
      return checksLine(state);
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

function checksLine(state: RunState): string {
  const { ended, all } = selectCheckProgress(state);
  const drafts = state.agents.filter(({ revisions }) => revisions.length > 0).length;
  const who =
    drafts === 1
      ? 'The draft is in'
      : drafts === 2
        ? 'Both drafts are in'
        : `All ${drafts} drafts are in`;
  return ended === all
    ? `${who}; their checks are done.`
    : `${who}; ${ended} of ${counted(all, 'check', 'checks')} ${plural(ended, 'is', 'are')} done.`;
}

function votesLine(state: RunState, language: string): string {
  if (state.poll.kind === 'judge') {
    return questionLine(state, state.poll.candidates, language);
  }
  const eligible = voters(state);
  const weights = [
    ...voteWeights(
      eligible.map(({ info }) => info),
      state.settings.families,
    ).values(),
  ];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const needed = neededWeight(state.settings, total, weights.every(Number.isInteger));
  const open = eligible
    .filter((agent) => agent.ballot === null)
    .map(({ info }) => agentName(info.slot));
  const all = `${formatCount(total, language)} ${plural(total, 'vote', 'votes')}`;
  const rule =
    needed === null
      ? `The most of ${all} win`
      : `${formatCount(needed, language)} of ${all} needed`;
  const who =
    open.length === 0
      ? ''
      : `; ${open.length > mostNamed ? `${open.length} agents` : joinNames(open, language)} still ${plural(open.length, 'votes', 'vote')}`;
  return `${roundPrefix(state)}${standing(state, language)}${rule}${who}.`;
}

function roundPrefix({ poll, extraRounds }: RunState): string {
  if (poll.kind === 'runoff') {
    return poll.isDualPass === true
      ? 'The two closest are compared again in the opposite order. '
      : 'Runoff between the candidates with the most votes. ';
  }
  return extraRounds > 0 ? 'No candidate had enough votes; a further round runs. ' : '';
}

/** The vote is split, and somebody outside of the team is asked. */
function questionLine(state: RunState, candidates: readonly Slot[], language: string): string {
  const labels = candidates.flatMap(
    (slot) => state.agents[slot - 1]?.revisions.at(-1)?.label ?? [],
  );
  const names = joinNames(labels, language);
  return state.settings.onSplit === 'human'
    ? `The vote is split; you choose between ${names}.`
    : `The vote is split; a judge compares ${names}.`;
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
