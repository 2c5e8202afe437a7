// Members that readers of MassGen's files look for under a name of their own, worked out from event and state.
import type { RunState } from '../../run/state';
import { toStatusAgreement } from '../status-results';
import { authorOf } from './ballot-file';
import type { Step } from './artifact-part';

/** `{}` for events whose own members say it all. Real ids stand here; files are never shown to models. */
export function namedContext({
  recorded: { event },
  before,
  after,
}: Step): Record<string, unknown> {
  switch (event.type) {
    case 'run-started':
      return { agent_ids: after.agents.map(({ info }) => info.id) };
    case 'answer-submitted':
      return { chars: event.text.length };
    case 'vote-cast':
      return {
        voted_for: authorOf(event.target, before)?.info.id ?? null,
        available_answers: event.seen,
      };
    case 'update-delivered': {
      const { length } = event.labels;
      return { answer_count: length, mode: before.settings.updateDelivery };
    }
    case 'turn-failed':
      return { code: event.error.code, transient: event.error.retryable };
    case 'final-agent-selected':
      return {
        vote_summary: voteSummary(after),
        all_answers: newestLabels(after),
        agreement: toStatusAgreement(event.agreement),
      };
    case 'final-presentation-started':
      return { round_type: 'final', final_round: event.turnNo };
    case 'final-answer':
      return { label: `agent${event.slot}.final`, answer_label: event.label };
    default:
      return {};
  }
}

/** Valid votes by configured id of the author. */
function voteSummary(state: RunState): Record<string, number> {
  // An id can be any word, also one that every object has.
  const counts = new Map<string, number>();
  for (const { ballot } of state.agents) {
    const id = ballot === null ? undefined : authorOf(ballot.target, state)?.info.id;
    if (id !== undefined) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return Object.fromEntries(counts);
}

export function newestLabels({ agents }: RunState): readonly string[] {
  return agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []);
}
