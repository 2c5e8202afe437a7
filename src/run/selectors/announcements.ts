import type { RunOutcome } from '../facts';
import type { RunState, TimelineEntry } from '../state';
import { counted, joinNames, plural } from './formats';
import { agentName } from './names';
import { activeAgents, selectPhase } from './phases';
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
  const isVoting = selectPhase(next) === 'votes' && selectPhase(previous) === 'drafts';
  const agents = counted(activeAgents(next).length, 'agent', 'agents');
  return [
    ...(isVoting ? [`All drafts are in, ${agents}. Voting.`] : []),
    ...fresh.flatMap((entry) => announcement(next, entry, language)),
  ];
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
      const who = entry.slot === null ? 'An agent' : agentName(entry.slot);
      return [
        left === 0 ? `${who} failed.` : `${who} failed; ${left} ${plural(left, 'goes', 'go')} on.`,
      ];
    }
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
