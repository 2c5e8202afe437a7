import type { RunState, TimelineEntry } from '../state';
import { joinNames } from './formats';
import { agentName } from './names';

/** What happened between the first count and the choice, one sentence per step; empty for a plain majority. */
export function selectDecisionSteps(state: RunState, language: string): readonly string[] {
  const since = state.timeline.findLastIndex(({ kind }) => kind === 'attempt') + 1;
  const steps = state.timeline.slice(since).flatMap((entry) => stepOf(entry, language));
  return [...steps, ...chain(state)];
}

function stepOf(entry: TimelineEntry, language: string): readonly string[] {
  const names = joinNames(entry.slots.map(agentName), language);
  switch (entry.kind) {
    case 'runoff':
      return [`No candidate met the rule; a runoff was held between the answers of ${names}.`];
    case 'extra-round':
      return ['No candidate met the rule; a further round was held.'];
    case 'dual-pass':
      return [
        `The answers of ${names} were close; everybody compared them again in the opposite order.`,
      ];
    case 'judge': {
      const [label] = entry.labels;
      return [
        label === undefined
          ? 'A judge was asked and gave no decision.'
          : `A judge was asked and chose ${label}.`,
      ];
    }
    default:
      return [];
  }
}

/** What in the order for ties came out even before the element that decided, which the reason names. */
function chain({ selection, settings }: RunState): readonly string[] {
  const used = selection?.agreement.tieBreakUsed ?? null;
  const at = settings.tieBreak.findIndex((element) => element === used);
  const even = settings.tieBreak.slice(0, Math.max(0, at)).map(shortName);
  return even.length === 0
    ? []
    : [`Before that in the order for ties, and even: ${even.join(', ')}.`];
}

const short: Readonly<Record<string, string>> = {
  evidence: 'checks',
  votes_from_others: 'votes from others',
  approvals: 'approvals',
  smaller_change: 'size of the change',
  latest: 'latest',
  earliest: 'earliest',
  seeded_hash: 'lot',
  config_order: 'place in the team file',
};

function shortName(element: string): string {
  return short[element] ?? element;
}
