import type { Label } from '../../base/ids';
import { isExcluded } from '../../run/checks';
import type { ProtocolErrorCode } from '../../run/facts';
import type { AgentState, RunState } from '../../run/state';
import type { RawAction } from './inputs';
import { currentRevisions } from './ledger';
import { isAtAnswerLimit } from './toolset';

export type Answer = Extract<RawAction, { readonly kind: 'new_answer' }>;

export interface AnswerRefusal {
  readonly code: ProtocolErrorCode;
  /** The answer it equals or resembles. */
  readonly like?: Label;
  /** 0 to 1. */
  readonly similarity?: number;
  /** Characters that an answer may have. */
  readonly limit?: number;
}

/** Why an answer is refused whatever it says, or `undefined`. The first failing check decides. */
export function formalRefusal(
  state: RunState,
  agent: AgentState,
  answer: Answer,
): AnswerRefusal | undefined {
  if (answer.content.trim() === '') {
    return { code: 'empty_answer' };
  }
  if (answer.content.length > state.settings.maxAnswerChars) {
    return { code: 'answer_too_long', limit: state.settings.maxAnswerChars };
  }
  if (state.poll.kind !== 'open') {
    return { code: 'answers_closed' };
  }
  if (isAtAnswerLimit(state, agent)) {
    return { code: 'answer_limit' };
  }
  return undefined;
}

/** Why an answer that may be handed in is refused for what it says, or `undefined` when it counts. */
export function refusalOfText(
  state: RunState,
  agent: AgentState,
  answer: Answer,
): AnswerRefusal | undefined {
  return duplicate(state, agent, answer) ?? resembling(state, agent, answer);
}

/** Text for comparison: composed characters, no spaces at line ends or around the whole. */
export function comparable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\S\n]+$/gm, '')
    .trim();
}

/** The same words over other files are a new answer of the same author, but not of a peer. */
function duplicate(state: RunState, agent: AgentState, answer: Answer): AnswerRefusal | undefined {
  const text = comparable(answer.content);
  const equal = currentRevisions(state).find((revision) => {
    const mayRepeatItself =
      state.settings.duplicateConsidersFiles || isExcluded(state, revision.label);
    const hasOtherFiles =
      mayRepeatItself &&
      revision.slot === agent.info.slot &&
      answer.snapshotId !== null &&
      answer.snapshotId !== revision.snapshotId;
    return !hasOtherFiles && comparable(revision.text) === text;
  });
  return equal === undefined ? undefined : { code: 'answer_duplicate', like: equal.label };
}

const highestSimilarity = { lenient: 1, balanced: 0.7, strict: 0.5 } as const;

/** A refinement may resemble what it refines, so only peers' answers are compared. */
function resembling(state: RunState, agent: AgentState, answer: Answer): AnswerRefusal | undefined {
  const { novelty } = state.settings;
  if (novelty === 'lenient') {
    return undefined;
  }
  const partsOf = state.settings.noveltyMeasure === 'phrases' ? phrasesOf : wordsOf;
  const parts = new Set(partsOf(answer.content));
  for (const revision of currentRevisions(state)) {
    const similarity =
      revision.slot === agent.info.slot ? 0 : similarityOf(parts, new Set(partsOf(revision.text)));
    if (similarity > highestSimilarity[novelty]) {
      return { code: 'answer_novelty', like: revision.label, similarity };
    }
  }
  return undefined;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** Each three words in a row; a shorter text is one phrase. */
function phrasesOf(text: string): readonly string[] {
  const words = wordsOf(text);
  const starts = words.slice(0, Math.max(1, words.length - 2));
  return starts.map((_word, i) => words.slice(i, i + 3).join(' '));
}

/** What both have as a share of all that they have. */
function similarityOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((part) => b.has(part)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
