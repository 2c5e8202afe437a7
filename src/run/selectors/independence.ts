import type { AgentInfo } from '../facts';
import type { RunState } from '../state';
import { counted, joinNames, plural } from './formats';
import { agentName } from './names';
import { voters } from './phases';

/** How much the votes are worth as separate opinions. */
export interface Independence {
  /** `3 voters, worth about 1.8 independent ones (2 families)`. */
  readonly text: string;
  readonly explanation: string;
  /** The votes are worth little more than one. */
  readonly isLow: boolean;
}

/** Below this number of independent voters a vote says little more than one of them alone. */
const fewVoters = 1.5;

/** `undefined` where nobody could vote, or where a script plays the models. */
export function selectIndependence(state: RunState, language: string): Independence | undefined {
  const agreement = state.selection?.agreement;
  const electorate = electorateOf(state);
  if (electorate.length < 2 || state.isScripted || agreement === undefined) {
    return undefined;
  }
  const worth = agreement.effectiveVoters;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(worth);
  return {
    text: `${counted(electorate.length, 'voter', 'voters')}, worth about ${number} independent ${plural(worth, 'one', 'ones')} (${familiesIn(electorate)})`,
    explanation:
      'Models of one family tend to make the same mistakes, so their votes count together as little more than one opinion.',
    isLow: worth < fewVoters,
  };
}

/** A model whose family nobody knows counts as one of its own, which is said. */
function familiesIn(electorate: readonly AgentInfo[]): string {
  const known = electorate.map(({ family }) => family).filter((family) => family !== '');
  const unknown = electorate.length - known.length;
  const families = counted(new Set(known).size, 'family', 'families');
  if (unknown === 0) {
    return families;
  }
  return known.length === 0 ? 'families unknown' : `${families}, ${unknown} unknown`;
}

/** One sentence for each model that several members share; empty when all differ. */
export function selectSameModels(state: RunState, language: string): readonly string[] {
  if (state.isScripted) {
    return [];
  }
  const byModel = new Map<string, string[]>();
  for (const { slot, backend, model, title } of state.agents.map(({ info }) => info)) {
    // A program that chooses its model itself is known by its own name alone.
    const key = JSON.stringify([backend, model, title ?? '']);
    byModel.set(key, [...(byModel.get(key) ?? []), agentName(slot)]);
  }
  return [...byModel.values()]
    .filter((names) => names.length > 1)
    .map((names) => `${joinNames(names, language)} are the same model; they tend to err alike.`);
}

function electorateOf(state: RunState): readonly AgentInfo[] {
  const slots = state.selection?.agreement.electorate;
  return slots === undefined
    ? voters(state).map(({ info }) => info)
    : state.agents.map(({ info }) => info).filter(({ slot }) => slots.includes(slot));
}
