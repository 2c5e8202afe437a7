// What each kind of row in the timeline says.
import type { Slot } from '../../base/ids';
import type { AgentState, RunState, TimelineEntry } from '../state';
import { courseText } from './course-words';
import { counted, formatElapsed, joinNames, plural } from './formats';
import { agentName, isOwnLabel } from './names';
import { type RowText, emptyRow as empty } from './row-text';

export function rowText(state: RunState, entry: TimelineEntry, language: string): RowText {
  switch (entry.kind) {
    case 'answer':
      return answerText(state, entry);
    case 'vote':
      return voteText(state, entry);
    case 'votes-voided':
      return voidedText(entry, language);
    case 'update':
      return updateText(state, entry, language);
    case 'run-started':
      return { ...empty, title: 'Run started', note: startNote(state) };
    case 'vote-ignored':
      return {
        ...empty,
        title: 'Vote not counted',
        note: `${joinNames(entry.labels, language)} had arrived meanwhile`,
      };
    case 'decided':
      return decidedText(entry);
    case 'final-answer':
      return {
        ...empty,
        title: 'Final answer',
        note: finalNote(entry),
      };
    case 'ended':
      return { ...empty, title: endings[entry.text] ?? 'Run ended' };
    default:
      return courseText(state, entry, language) ?? otherText(entry, language);
  }
}

function otherText(entry: TimelineEntry, language: string): RowText {
  switch (entry.kind) {
    case 'restart':
      return { ...empty, title: 'Starts again', note: 'with the new answers' };
    case 'protocol-error':
      return { ...empty, title: 'Reply refused', quote: entry.text };
    case 'turn-failed':
      return { ...empty, title: 'Turn failed', quote: entry.text };
    case 'agent-failed':
      return { ...empty, title: 'Failed', quote: entry.text };
    case 'agent-abstained':
      return { ...empty, verb: 'abstained' };
    case 'runoff':
      return {
        ...empty,
        title: 'Runoff',
        note: `between the answers of ${joinNames(entry.slots.map(agentName), language)}`,
      };
    case 'extra-round':
      return { ...empty, title: 'Further round', note: 'no candidate had enough votes' };
    case 'cap':
      return { ...empty, title: 'Cap reached', note: caps[entry.text] ?? entry.text };
    default:
      return { ...empty, title: 'Warning', quote: entry.text };
  }
}

const caps: Readonly<Record<string, string>> = {
  duration: 'time; no new calls are made',
  'model-calls': 'calls; no new calls are made',
  cost: 'cost; no new calls are made',
};

const endings: Readonly<Record<string, string>> = {
  completed: 'Run finished',
  timeout: 'Run ended when the time was up',
  budget: 'Run ended at the cap',
  'no-consensus': 'Run ended without consensus',
  error: 'Run failed',
  cancelled: 'Stopped by you',
  interrupted: 'Interrupted',
};

function startNote(state: RunState): string {
  const agents = counted(state.agents.length, 'agent', 'agents');
  return state.settings.deferVotingUntilAllAnswered && state.agents.length > 1
    ? `${agents}, drafts alone`
    : agents;
}

function answerText(state: RunState, entry: TimelineEntry): RowText {
  const [label] = entry.labels;
  const agent = agentOf(state, entry.slot);
  const latest = agent?.revisions.at(-1)?.label;
  const isFirst = label?.endsWith('.1') === true;
  const isReplaced = latest !== undefined && label !== undefined && latest !== label;
  return {
    ...empty,
    verb: isFirst ? 'answered' : 'new answer',
    label: label ?? null,
    isStruck: isReplaced,
    note: isReplaced ? `replaced by ${latest}` : '',
  };
}

function voteText(state: RunState, entry: TimelineEntry): RowText {
  const [label] = entry.labels;
  const ballot = agentOf(state, entry.slot)?.ballots.find(({ seq }) => seq === entry.seq);
  const voided = ballot?.void;
  const voidedAt = state.timeline.find(({ seq }) => seq === voided?.seq)?.at;
  const notes = [
    ...(label !== undefined && entry.slot !== null && isOwnLabel(label, entry.slot)
      ? ['self-vote']
      : []),
    ...(ballot?.isInformed === false ? ['had not seen every answer'] : []),
    ...(voided === undefined ? [] : [`voided${at(state, voidedAt)}`]),
  ];
  return {
    ...empty,
    verb: 'voted',
    label: label ?? null,
    isStruck: voided !== undefined,
    note: notes.join(', '),
    quote: entry.text,
  };
}

function at(state: RunState, time: number | undefined): string {
  return time === undefined ? '' : ` at ${formatElapsed(time - state.startedAt)}`;
}

const rounds: Readonly<Record<string, string>> = {
  runoff: 'a runoff begins',
  dual_pass: 'the closest are compared again',
};

function voidedText(entry: TimelineEntry, language: string): RowText {
  const [cause] = entry.labels;
  const again = `${joinNames(entry.slots.map(agentName), language)} ${plural(entry.slots.length, 'votes', 'vote')} again`;
  const reason =
    cause === undefined ? (rounds[entry.text] ?? 'a further round begins') : `${cause} arrived`;
  return {
    ...empty,
    title: plural(entry.slots.length, 'Vote voided', 'Votes voided'),
    note: `${reason}; ${again}`,
  };
}

function updateText(state: RunState, entry: TimelineEntry, language: string): RowText {
  const slots = entry.slot === null ? entry.slots : [entry.slot];
  const who =
    slots.length === state.agents.length ? 'all agents' : joinNames(slots.map(agentName), language);
  return {
    ...empty,
    title: 'Update delivered',
    note:
      slots.length === 1
        ? `now sees ${joinNames(entry.labels, language)}`
        : `${who} now see ${joinNames(entry.labels, language)}`,
  };
}

/** Where the winner could not write it, another agent did. */
function finalNote({ text, slot, labels: [label] }: TimelineEntry): string {
  if (text !== 'presented') {
    return 'the answer as it was handed in';
  }
  return label === undefined || slot === null || isOwnLabel(label, slot)
    ? 'written by the winner'
    : `written for ${label}`;
}

function decidedText(entry: TimelineEntry): RowText {
  const [label] = entry.labels;
  return label === undefined
    ? { ...empty, title: 'Nothing was chosen' }
    : { ...empty, title: entry.text === 'human' ? 'Decided by you' : 'Decided', label };
}

function agentOf(state: RunState, slot: Slot | null): AgentState | undefined {
  return slot === null ? undefined : state.agents[slot - 1];
}
