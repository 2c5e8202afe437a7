import type { Label, Slot } from '../../base/ids';
import type { CoordinationSettings } from '../coordination-settings';

/** `Agent 1`: the worker, not its answer. */
export function agentName(slot: Slot): string {
  return `Agent ${slot}`;
}

const ruleNames: Readonly<Record<CoordinationSettings['rule'], string>> = {
  plurality: 'Most votes',
  majority: 'Majority',
  supermajority: 'Supermajority',
  unanimity: 'Unanimity',
  min_agreement: 'Minimum agreement',
  weighted: 'Weighted votes',
};

/** `Majority`; a rule of a newer version keeps its own word. */
export function ruleName(rule: string): string {
  return Object.entries(ruleNames).find(([name]) => name === rule)?.[1] ?? rule;
}

const tieBreaks: Readonly<Record<string, string>> = {
  evidence: 'the checks it passed',
  votes_from_others: 'its votes from others',
  approvals: 'its approvals',
  smaller_change: 'its smaller change',
  latest: 'being the latest answer',
  earliest: 'being the earliest answer',
  seeded_hash: 'lot, reproducible from the seed of the run',
  config_order: 'its place in the team file',
};

/** What decided a tie, to be read after "by". */
export function tieBreakName(element: string): string {
  return tieBreaks[element] ?? element;
}

/** Text cut into plain pieces and labels, so that a view can set labels in the font for code. */
export function splitLabels(
  text: string,
): readonly { readonly text: string; readonly isLabel: boolean }[] {
  return text
    .split(/\b(agent\d+\.\d+)\b/)
    .map((piece, i) => ({ text: piece, isLabel: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** True when `label` is an answer of the agent in `slot`. */
export function isOwnLabel(label: Label, slot: Slot): boolean {
  return label.startsWith(`agent${slot}.`);
}
