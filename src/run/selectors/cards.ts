import type { Label, Slot } from '../../base/ids';
import { isUnchecked } from '../checks';
import type { Activity, AgentState, ApprovalState, RunState } from '../state';
import { type AgentDetails, selectDetails } from './agent-details';
import { askedFor } from './approval-words';
import { currentRevision } from './candidates';
import { type CardAsk, asksOf } from './card-asks';
import { failedGateNames } from './check-marks';
import { formatCost, formatElapsed, formatWait, plural } from './formats';
import { playerName } from './player-name';
import { agentName } from './names';
import { activeAgents, hasVoting, selectPhase } from './phases';
import { tokensText } from './sums';
import { isEnded } from './time';
import { type ToolIcon, toolName, toolWords } from './tool-words';
import { revealOnOneLine } from './visible-text';

export type CardIcon =
  'working' | 'needs-you' | 'waiting' | 'answered' | 'voted' | 'failed' | 'stopped' | 'idle';

/** The line under the live text: what the agent does now, or what it last did. */
export interface NowLine {
  readonly icon: ToolIcon | 'answer' | 'vote' | 'wait' | 'error' | 'none';
  /** Set in the font for code: tool and object, or a label. */
  readonly code: string;
  readonly text: string;
  /** How long it has been going on, `0:12`; empty when it is not going on. */
  readonly since: string;
  /** The answer that "Open" opens. */
  readonly opens: Label | null;
}

export interface AgentCard {
  readonly slot: Slot;
  readonly name: string;
  readonly model: string;
  readonly icon: CardIcon;
  readonly status: string;
  /** Newest text of the agent, untrusted; a view shows its end. */
  readonly text: string;
  readonly now: NowLine;
  readonly tokens: string;
  readonly cost: string;
  readonly elapsed: string;
  /** What the user may ask of the agent now. `finish`: its time is over, so the wish stands in sight. */
  readonly asks: readonly CardAsk[];
  /** What is shown on demand; `null`: nothing. */
  readonly details: AgentDetails | null;
}

/** One card per agent, in the order of the team. */
export function selectCards(state: RunState, now: number, language: string): readonly AgentCard[] {
  return state.agents.map((agent) => toCard(state, agent, now, language));
}

function toCard(state: RunState, agent: AgentState, now: number, language: string): AgentCard {
  const { icon, status } = statusOf(state, agent, now);
  const isWorking = agent.turn !== null && !isEnded(state);
  const end = isWorking ? Math.max(now, agent.lastActivityAt) : agent.lastActivityAt;
  return {
    slot: agent.info.slot,
    name: agentName(agent.info.slot),
    model: playerName(agent.info),
    icon,
    status,
    text: textOf(agent, isWorking),
    now: nowLine(state, agent, now),
    tokens: tokensText(agent.usage, language),
    cost: state.isScripted ? '' : formatCost(agent.usage, language),
    elapsed: formatElapsed(end - state.startedAt),
    asks: asksOf(state, agent),
    details: selectDetails(state, agent),
  };
}

function textOf(agent: AgentState, isWorking: boolean): string {
  if (isWorking || agent.revisions.length === 0) {
    return agent.liveText === '' && agent.lastError !== null
      ? agent.lastError.message
      : agent.liveText.trimEnd();
  }
  return agent.ballot?.reason ?? currentRevision(agent)?.text ?? '';
}

interface Status {
  readonly icon: CardIcon;
  readonly status: string;
}

/** The state of an agent in one or two words. */
function statusOf(state: RunState, agent: AgentState, now: number): Status {
  switch (agent.status) {
    case 'failed':
      return { icon: 'failed', status: 'Failed' };
    case 'cancelled':
      return { icon: 'stopped', status: 'Stopped' };
    case 'abstained':
      return { icon: 'voted', status: 'Abstained' };
    case 'running':
      return workingStatus(state, agent, now);
    case 'voted':
    case 'idle':
    case 'waiting':
    case 'done':
      return restingStatus(agent);
  }
}

function restingStatus(agent: AgentState): Status {
  if (isHeldBack(agent)) {
    return { icon: 'waiting', status: 'Held back' };
  }
  if (agent.ballot !== null) {
    return { icon: 'voted', status: 'Voted' };
  }
  if (agent.revisions.length > 0) {
    return { icon: 'answered', status: 'Answered' };
  }
  return agent.status === 'done'
    ? { icon: 'stopped', status: 'Stopped' }
    : { icon: 'idle', status: 'Waiting' };
}

function workingStatus(state: RunState, agent: AgentState, now: number): Status {
  const activity = activityOf(state, agent);
  switch (activity.kind) {
    case 'approval':
      return { icon: 'needs-you', status: 'Needs you' };
    case 'waiting':
      return { icon: 'waiting', status: `Waiting ${formatWait(activity.until - now)}` };
    case 'tool':
      return { icon: 'working', status: toolWords(activity.tool).status };
    case 'model':
    case 'none':
      return { icon: 'working', status: writingStatus(state, agent, now) };
  }
}

/** Whatever a program tells meanwhile of the tool that it asks for, it waits for the person; ours may do two things at once. */
function activityOf({ approvals }: RunState, { info, activity }: AgentState): Activity {
  const asked = approvals.find(({ slot }) => slot === info.slot);
  return asked === undefined || info.isProgram !== true
    ? activity
    : { kind: 'approval', approvalId: asked.approvalId };
}

/** An agent that is asked to finish says so, with the time until it loses its tools. */
function writingStatus(state: RunState, agent: AgentState, now: number): string {
  const { turn, activity } = agent;
  if (turn?.purpose === 'evaluate') {
    return 'Checking';
  }
  if (turn?.hardLimitAt !== undefined) {
    return 'Must answer';
  }
  if (turn?.softLimitAt !== undefined) {
    const left = (turn.wrapUpAt ?? now) + state.settings.turnGraceMs - now;
    return turn.wrapUpAt === undefined ? 'Finishing' : `Finishing ${formatWait(left)}`;
  }
  if (isVoting(state, agent)) {
    return 'Voting';
  }
  return activity.kind === 'model' && activity.isThinking === true ? 'Thinking' : 'Writing';
}

/** A finished answer waits until slower agents have caught up. */
function isHeldBack({ draft }: AgentState): boolean {
  return draft !== undefined && draft !== null;
}

function isVoting(state: RunState, agent: AgentState): boolean {
  return hasVoting(state) && selectPhase(state) === 'votes' && agent.revisions.length > 0;
}

/** A model that thinks may be silent for minutes; from here on people are told that it is. */
const silenceMs = 30_000;

const still: NowLine = { icon: 'none', code: '', text: '', since: '', opens: null };

function nowLine(state: RunState, agent: AgentState, now: number): NowLine {
  const activity = activityOf(state, agent);
  switch (activity.kind) {
    case 'tool':
      return {
        ...still,
        icon: toolWords(activity.tool).icon,
        code: revealOnOneLine(`${toolName(activity.tool)} ${activity.subject}`.trim()),
        since: formatElapsed(now - activity.startedAt),
      };
    case 'approval': {
      const asked = state.approvals.find(({ approvalId }) => approvalId === activity.approvalId);
      return {
        ...still,
        icon: asked?.isTool === true ? 'tool' : asked?.isRequest === true ? 'web' : 'terminal',
        code: wantedCall(asked),
        since: asked === undefined ? '' : formatElapsed(now - asked.requestedAt),
      };
    }
    case 'waiting':
      return {
        ...still,
        icon: 'wait',
        text: waitText(activity),
      };
    case 'model':
    case 'none':
      return workingLine(state, agent, now);
  }
}

/** Tools and addresses are named by what is asked. */
function wantedCall(asked: ApprovalState | undefined): string {
  if (asked === undefined) {
    return '';
  }
  const isCommand = [asked.isTool, asked.isRequest, asked.isProgram].every((is) => is !== true);
  return isCommand ? `run_command ${askedFor(asked)}` : askedFor(asked);
}

function workingLine(state: RunState, agent: AgentState, now: number): NowLine {
  if (agent.turn !== null && agent.isCut === true) {
    return { ...still, icon: 'error', text: 'cut off at the length limit' };
  }
  const silentMs = now - agent.lastActivityAt;
  const isAsked = agent.turn !== null && agent.activity.kind === 'model' && !isEnded(state);
  return isAsked && silentMs >= silenceMs
    ? { ...still, icon: 'wait', text: 'no word from the model for', since: formatElapsed(silentMs) }
    : restingLine(state, agent);
}

const waits: Readonly<Record<string, string>> = {
  'rate-limit': 'The service limits calls.',
  overloaded: 'The service is overloaded.',
};

/** One key has one limit, whoever uses it. */
function waitText({
  reason,
  isShared,
}: Extract<AgentState['activity'], { kind: 'waiting' }>): string {
  return isShared === true
    ? 'Shares a limit with another agent.'
    : (waits[reason] ?? 'The service is asked again.');
}

function restingLine(state: RunState, agent: AgentState): NowLine {
  const label = currentRevision(agent)?.label;
  if (isHeldBack(agent)) {
    return { ...still, icon: 'wait', text: 'waits for slower agents', opens: label ?? null };
  }
  if (agent.status === 'failed') {
    const message = agent.lastError?.message ?? '';
    // An agent that wrote nothing has its error above, in the place of its text.
    const text = textOf(agent, false) === message ? '' : message;
    return { ...still, icon: text === '' ? 'none' : 'error', text, opens: label ?? null };
  }
  return answeredLine(state, agent, label);
}

function answeredLine(state: RunState, agent: AgentState, label: Label | undefined): NowLine {
  if (agent.ballot !== null) {
    return {
      ...still,
      icon: 'vote',
      code: agent.ballot.target,
      text: 'has its vote',
      opens: label ?? null,
    };
  }
  if (label === undefined) {
    return still;
  }
  const gates = failedGateNames(state, label);
  return gates.length > 0
    ? { ...still, icon: 'error', code: label, text: `fails ${gates.join(', ')}`, opens: label }
    : { ...still, icon: 'answer', code: label, text: waitsFor(state, label), opens: label };
}

function waitsFor(state: RunState, label: Label): string {
  if (!isEnded(state) && isUnchecked(state, label)) {
    const names = (state.settings.checks ?? []).length;
    const found = state.checks?.answers[label];
    return found === undefined
      ? 'waits for checks'
      : `is checked, ${found.results.length} of ${names} done`;
  }
  if (selectPhase(state) !== 'drafts') {
    return '';
  }
  const open = activeAgents(state).filter((agent) => agent.revisions.length === 0).length;
  return open === 0 ? '' : `waits for ${open} ${plural(open, 'draft', 'drafts')}`;
}
