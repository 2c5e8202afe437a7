import type { Agreement, DecisionResult } from '../facts';
import type { RunState } from '../state';
import { selectChoice } from './choice';
import { counted, formatCount } from './formats';

/** What a poll came to, in the words that stand over its reason. */
export interface Outcome {
  readonly kind: DecisionResult | 'by-you' | 'no-vote';
  readonly word: string;
  /** What was decided holds less than the rule asks for, or nothing was decided. */
  readonly isWeak: boolean;
}

/** `undefined` before anything was decided. */
export function selectOutcome(state: RunState, language: string): Outcome | undefined {
  const agreement = state.selection?.agreement;
  if (agreement === undefined) {
    return undefined;
  }
  if (selectChoice(state).isByUser) {
    return { kind: 'by-you', word: 'Decided by you', isWeak: false };
  }
  if (agreement.decidedBy === 'single' || isWithoutVoting(state)) {
    return { kind: 'no-vote', word: 'No vote was needed', isWeak: false };
  }
  return { kind: agreement.result, ...words[agreement.result](agreement, language) };
}

/** Every candidate fails a check anew, and the user has not taken one all the same. */
export function isGateFailed({ selection, override }: RunState): boolean {
  return selection?.agreement.result === 'gate-failed' && override === null;
}

function isWithoutVoting({ settings, agents }: RunState): boolean {
  const answered = agents.filter(({ revisions }) => revisions.length > 0).length;
  return settings.skipVoting || settings.mode === 'decomposition' || answered === 1;
}

type Words = (agreement: Agreement, language: string) => Omit<Outcome, 'kind'>;

const words: Readonly<Record<DecisionResult, Words>> = {
  decided: ({ isUnanimous, ballots }) => ({
    word: isUnanimous && ballots > 1 ? 'Decided by all votes' : 'Decided by the rule',
    isWeak: false,
  }),
  'tie-broken': ({ decidedBy }) => ({
    word: decidedBy === 'judge' ? 'Tie broken by a judge' : 'Tie broken',
    isWeak: true,
  }),
  'no-quorum': ({ ballots, electorate }, language) => ({
    word: `No quorum: ${formatCount(ballots, language)} of ${counted(electorate.length, 'vote', 'votes')}`,
    isWeak: true,
  }),
  'no-consensus': () => ({ word: 'No consensus', isWeak: true }),
  'gate-failed': () => ({ word: 'No candidate passed the checks', isWeak: true }),
  none: () => ({ word: 'Nobody voted', isWeak: true }),
};
