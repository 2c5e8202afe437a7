import type { Label, Slot } from '../../base/ids';
import { neededWeight } from '../decision/rules';
import { reasonFor } from '../decision/reason';
import type { Agreement } from '../facts';
import type { AgentState, RunState } from '../state';
import { currentRevision } from './candidates';
import { isPartlyAccepted } from './changed-parts';
import { gateSentence } from './check-words';
import { wasChosenAfterEnd } from './choice';
import { counted, formatCount, formatElapsed, formatLimit, formatMoney, plural } from './formats';
import { agentName, ruleName } from './names';
import { isGateFailed } from './outcome';
import { activeAgents } from './phases';
import { selectSums, selectTeamUsage } from './sums';
import { selectTally } from './tally';
import { endedAt, isEnded } from './time';

export interface ProblemAction {
  readonly does:
    | 'set-key'
    | 'show-logs'
    | 'open-team-file'
    | 'change-caps'
    | 'new-run'
    | 'open-answer'
    | 'resume-run'
    | 'revive-agent';
  readonly text: string;
  /** The answer to open. */
  readonly label?: Label;
  /** The agent to try again. */
  readonly slot?: Slot;
}

/** What happened, why and what holds now, and what can be done; the safest action first. */
export interface Problem {
  readonly id: string;
  readonly icon: 'stop' | 'clock' | 'error' | 'law';
  readonly heading: string;
  readonly text: string;
  /** Lines for the font for code, in the words of a service. */
  readonly detail: readonly string[];
  /** How much of the cap is used, 0 to 1, with its numbers. */
  readonly meter: { readonly share: number; readonly text: string } | null;
  readonly actions: readonly ProblemAction[];
}

const base = { detail: [], meter: null } as const;
const newRun: ProblemAction = { does: 'new-run', text: 'New Run' };
const resume: ProblemAction = { does: 'resume-run', text: 'Resume Run' };
const logs: ProblemAction = { does: 'show-logs', text: 'Show Logs' };

/** Everything about the run that did not go as planned, the most important first; empty for a plain run. */
export function selectProblems(state: RunState, language: string): readonly Problem[] {
  const end = endProblem(state, language);
  const failed = state.agents.filter(({ status }) => status === 'failed');
  const isAllFailed = failed.length > 0 && failed.length === state.agents.length;
  return [
    ...(end === undefined ? [] : [end]),
    ...(state.capReached === null ? [] : [capProblem(state, state.capReached, language)]),
    ...(isAllFailed ? [] : failed.map((agent) => agentProblem(state, agent))),
  ];
}

function endProblem(state: RunState, language: string): Problem | undefined {
  switch (state.outcome) {
    case 'cancelled':
      return {
        ...base,
        id: 'stopped',
        icon: 'stop',
        heading: `Stopped by you at ${formatElapsed(endedAt(state) - state.startedAt)}`,
        text: `${draftsKept(state)} No command is still running. ${unchanged(state)}`.trim(),
        actions: [...openAnswers(state), newRun],
      };
    case 'interrupted':
      return {
        ...base,
        id: 'interrupted',
        icon: 'stop',
        heading: 'Interrupted when the window closed',
        text: `${answersKept(state)} No process is left. ${unchanged(state)}`.trim(),
        actions: [...(wasChosenAfterEnd(state) ? [] : [resume]), ...openAnswers(state), newRun],
      };
    case 'no-consensus':
      // Once the user has taken an answer, its verdict tells what the team came to.
      return state.override !== null
        ? undefined
        : isGateFailed(state)
          ? gateFailed(state, language)
          : noConsensus(state);
    case 'error':
      return runFailed(state);
    case 'completed':
    case 'timeout':
    case 'budget':
    case null:
      return undefined;
  }
}

function gateFailed(state: RunState, language: string): Problem {
  return {
    ...base,
    id: 'gate-failed',
    icon: 'error',
    heading: 'No candidate passed the checks',
    text: [
      gateSentence(state, language),
      'Nothing was chosen, and nothing is offered for Accept All.',
      unchanged(state),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    actions: [...openAnswers(state), newRun],
  };
}

/** The same reason as in the files of the run; the votes stand beside the answers below. */
function noConsensus(state: RunState): Problem {
  const votes = selectTally(state).rows.map((row) => row.votes);
  const [first] = votes;
  const isEven = first !== undefined && votes.length > 1 && votes.every((count) => count === first);
  const agreement = state.selection?.agreement;
  return {
    ...base,
    id: 'no-consensus',
    icon: 'law',
    heading: headingOf(agreement, isEven && first > 0 ? first : null),
    text:
      agreement === undefined ? 'Nothing was chosen.' : reasonFor(agreement, null, votes.length),
    actions: [newRun],
  };
}

function headingOf(agreement: Agreement | undefined, each: number | null): string {
  switch (agreement?.result) {
    case 'no-quorum':
      return `No quorum: ${agreement.ballots} of ${counted(agreement.electorate.length, 'vote', 'votes')}`;
    case 'none':
      return 'Nobody voted';
    default:
      return each === null
        ? 'No consensus'
        : `No consensus: ${counted(each, 'vote', 'votes')} each`;
  }
}

function runFailed(state: RunState): Problem {
  const failed = state.agents.filter(({ status }) => status === 'failed');
  const isNobody = failed.length > 0 && failed.length === state.agents.length;
  const needsKey = failed.some((agent) => isKeyProblem(agent));
  return {
    ...base,
    id: 'run-failed',
    icon: 'error',
    heading: isNobody ? 'No agent could answer' : 'The run failed',
    text: [
      ...(isNobody ? [] : [state.error?.message ?? '', state.error?.hint ?? '']),
      unchanged(state),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    detail: isNobody
      ? failed.map((agent) =>
          [`${agentName(agent.info.slot)}: ${reasonOf(agent)}`, agent.lastError?.hint ?? '']
            .filter((sentence) => sentence !== '')
            .join(' '),
        )
      : [],
    actions: [
      ...(needsKey ? [{ does: 'set-key', text: 'Check Key…' } as const] : []),
      logs,
      ...(isNobody ? [{ does: 'open-team-file', text: 'Edit Team' } as const] : [newRun]),
    ],
  };
}

function capProblem(
  state: RunState,
  cap: 'duration' | 'model-calls' | 'cost',
  language: string,
): Problem {
  const { caps } = state;
  const usage = selectTeamUsage(state);
  const limits = {
    duration: { text: formatLimit(caps.durationMs ?? 0), share: 1 },
    'model-calls': {
      text: `${formatCount(caps.modelCalls ?? 0, language)} calls`,
      share: share(usage.calls, caps.modelCalls),
    },
    cost: {
      text: formatMoney(caps.costUsd ?? 0, language),
      share: share(usage.costUsd, caps.costUsd),
    },
  };
  return {
    ...base,
    id: 'cap',
    icon: 'clock',
    heading: `Cap reached: ${limits[cap].text}`,
    text: `No new calls were made. ${whatThereIs(state)} ${unchanged(state)}`.trim(),
    meter: { share: limits[cap].share, text: usedText(state, language) },
    actions: [{ does: 'change-caps', text: 'Change Caps…' }, ...(isEnded(state) ? [newRun] : [])],
  };
}

/** A vote needs calls as well: where the cap left none for it, the order for ties chose alone. */
function whatThereIs(state: RunState): string {
  const drafts = state.agents.filter((agent) => agent.revisions.length > 0).length;
  const hadVotes = state.agents.some(({ ballots }) => ballots.length > 0);
  if (drafts === 0) {
    return 'There was no draft to vote on.';
  }
  if (hadVotes || !isEnded(state)) {
    return `The ${drafts} ${plural(drafts, 'draft that exists', 'drafts that exist')} went to a vote.`;
  }
  return drafts === 1
    ? 'The only draft was taken; nobody could vote.'
    : `Nobody could vote; the order for ties chose from the ${drafts} drafts that exist.`;
}

/** `$1.98 of $2.00, 41 of 60 calls, 12:40 of 30:00`. */
function usedText(state: RunState, language: string): string {
  const running = { ...state, outcome: null };
  const [elapsed = '', calls = '', , cost = ''] = selectSums(running, endedAt(state), language);
  return [cost, calls, elapsed].join(', ');
}

function agentProblem(state: RunState, agent: AgentState): Problem {
  const left = activeAgents(state).length;
  const name = agentName(agent.info.slot);
  const hasEnded = isEnded(state);
  const goes = hasEnded ? 'the run went on with' : 'the run goes on with';
  const needs = hasEnded ? 'needed' : 'now needs';
  const needed = neededWeight(state.settings, left);
  const votes =
    needed === null || left < 2
      ? ''
      : `With ${left} voters ${ruleInSentence(state)} ${needs} ${needed < left ? needed : left === 2 ? 'both' : 'all'}.`;
  return {
    ...base,
    id: `agent-failed-${agent.info.slot}`,
    icon: 'error',
    heading: left === 0 ? `${name} failed` : `${name} failed; ${goes} ${left}`,
    text: [reasonOf(agent), agent.lastError?.hint ?? '', votes]
      .filter((sentence) => sentence !== '')
      .join(' '),
    actions: [
      ...(isKeyProblem(agent) ? [{ does: 'set-key', text: 'Check Key…' } as const] : []),
      ...(hasEnded
        ? []
        : [{ does: 'revive-agent', text: `Retry ${name}`, slot: agent.info.slot } as const]),
      logs,
    ],
  };
}

/** In the words of the service; what the engine told the model is marked as that. */
function reasonOf({ lastError }: AgentState): string {
  return lastError?.code === 'protocol/attempts-exhausted'
    ? `Its responses could not be used. It was told last: “${lastError.message}”`
    : (lastError?.message ?? '');
}

function ruleInSentence({ settings }: RunState): string {
  const name = ruleName(settings.rule).toLowerCase();
  return name.endsWith('majority') ? `a ${name}` : name;
}

function isKeyProblem(agent: AgentState): boolean {
  const code = agent.lastError?.code;
  return code === 'backend/auth' || code === 'config/missing-secret';
}

function draftsKept(state: RunState): string {
  const drafts = state.agents.filter((agent) => agent.revisions.length > 0).length;
  const of = `${drafts} of ${counted(state.agents.length, 'draft', 'drafts')}`;
  return drafts === 0
    ? 'No draft was finished.'
    : `${of} ${plural(drafts, 'was finished and is kept', 'were finished and are kept')}.`;
}

function answersKept(state: RunState): string {
  const answers = state.agents.reduce((sum, agent) => sum + agent.revisions.length, 0);
  return answers === 0
    ? 'No answer was finished.'
    : `${counted(answers, 'finished answer is', 'finished answers are')} kept.`;
}

/** Said only while it is true. */
function unchanged(state: RunState): string {
  const isAccepted = state.review?.files.some(isPartlyAccepted) ?? false;
  return isAccepted ? '' : 'Your files are unchanged.';
}

function openAnswers(state: RunState): readonly ProblemAction[] {
  return state.agents.flatMap((agent) => {
    const label = currentRevision(agent)?.label;
    return label === undefined
      ? []
      : [{ does: 'open-answer', text: `Open ${label}`, label } as const];
  });
}

function share(part: number, whole: number | null): number {
  return whole === null || whole <= 0 ? 1 : Math.min(1, part / whole);
}
