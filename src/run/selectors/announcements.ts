import type { RunOutcome } from '../facts';
import type { RunState, TimelineEntry } from '../state';
import { failedGateNames } from './check-marks';
import { checkedSubject } from './course-words';
import { counted, joinNames, plural } from './formats';
import { selectMix } from './mix';
import { agentName } from './names';
import { type Phase, activeAgents, selectPhase } from './phases';
import { isGateFailed } from './outcome';
import { selectVerdict } from './verdict';

/**
 * What a screen reader is told when the run goes from `previous` to `next`: phases and results, never text of models.
 * Approvals are not part of it; they are told apart, as they wait for an answer.
 */
export function selectAnnouncements(
  previous: RunState,
  next: RunState,
  language: string,
): readonly string[] {
  const fresh = next.timeline.slice(previous.timeline.length);
  return [
    ...phaseChange(selectPhase(previous), selectPhase(next), next),
    ...fresh.flatMap((entry) => announcement(next, entry, language)),
  ];
}

function phaseChange(from: Phase, to: Phase, next: RunState): readonly string[] {
  const agents = counted(activeAgents(next).length, 'agent', 'agents');
  if (to === 'checks' && from === 'drafts') {
    return [`All drafts are in, ${agents}. Checks run.`];
  }
  if (to === 'votes') {
    return from === 'drafts'
      ? [`All drafts are in, ${agents}. Voting.`]
      : from === 'checks'
        ? ['Voting.']
        : [];
  }
  return [];
}

/** An answer that is out, and what came of the user's own mix; what passes is told with the phase. */
function checksEnded(state: RunState, entry: TimelineEntry, language: string): readonly string[] {
  const [label] = entry.labels;
  if (label !== undefined) {
    const gates = failedGateNames(state, label);
    return gates.length === 0
      ? []
      : [`${label} fails ${joinNames(gates, language)} and cannot be voted for.`];
  }
  const mix = selectMix(state, language);
  const isOfMix = checkedSubject(entry).kind === 'mix';
  return !isOfMix || mix === undefined || mix.sentence === '' ? [] : [mix.sentence];
}

function whoOf({ slot }: TimelineEntry): string {
  return slot === null ? 'An agent' : agentName(slot);
}

function announcement(state: RunState, entry: TimelineEntry, language: string): readonly string[] {
  switch (entry.kind) {
    case 'run-started':
      return [`Run started, ${counted(state.agents.length, 'agent', 'agents')}.`];
    case 'votes-voided': {
      const who = joinNames(entry.slots.map(agentName), language);
      const again = plural(entry.slots.length, 'votes again', 'vote again');
      const [cause] = entry.labels;
      return [cause === undefined ? `${who} ${again}.` : `${who} ${again}; ${cause} arrived.`];
    }
    case 'agent-failed': {
      const left = activeAgents(state).length;
      const who = whoOf(entry);
      return [
        left === 0 ? `${who} failed.` : `${who} failed; ${left} ${plural(left, 'goes', 'go')} on.`,
      ];
    }
    case 'checks':
      return checksEnded(state, entry, language);
    case 'server-failed':
      return [`${whoOf(entry)} goes on without the tools of a server.`];
    case 'cut':
      return [`The response of ${whoOf(entry)} was cut off.`];
    case 'cap':
      return ['Cap reached; no new calls are made.'];
    case 'ended':
      return [result(state, language)];
    default:
      return [];
  }
}

const endings: Readonly<Partial<Record<RunOutcome, string>>> = {
  cancelled: 'Stopped. Your files are unchanged.',
  'no-consensus': 'No consensus.',
  interrupted: 'Interrupted.',
  error: 'The run failed.',
};

function result(state: RunState, language: string): string {
  if (isGateFailed(state)) {
    return 'No candidate passed the checks.';
  }
  const ending = state.outcome === null ? undefined : endings[state.outcome];
  if (ending !== undefined) {
    return ending;
  }
  const headline = selectVerdict(state, language)?.headline ?? 'The run ended.';
  const files = state.review?.files.length ?? 0;
  return files === 0
    ? headline
    : `${headline} ${counted(files, 'changed file', 'changed files')} to review.`;
}
