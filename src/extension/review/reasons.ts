// Which votes speak of a file or of one part of it. Only what a reason names in so many words counts.
import { posix } from 'node:path';
import type { Label, Slot } from '../../base/ids';
import type { HunkInfo } from '../../run/facts';
import { namesFile, namesPart } from '../../run/selectors/mentions';
import type { RunState } from '../../run/state';

export interface VoteReason {
  readonly voter: Slot;
  readonly target: Label;
  /** In the words of the voter; untrusted. */
  readonly reason: string;
  /** What it names of the file or part; empty: it speaks of the answer as a whole. */
  readonly names: readonly string[];
}

/** What votes are searched for. */
export interface ReasonSubject {
  /** Relative to its root, with `/`. */
  readonly path: string;
  /** Absent: the whole file. */
  readonly hunk?: HunkInfo;
  /** Changed lines before and after, of the part or of the whole file. */
  readonly changedText: string;
}

/** Valid votes that give a reason: those that name something of the subject come first, the others as they were cast. */
export function votesAbout(state: RunState, subject: ReasonSubject): readonly VoteReason[] {
  const words = codeWords(subject.changedText);
  const votes = state.agents.flatMap(({ ballot }) =>
    ballot === null || ballot.reason.trim() === ''
      ? []
      : [
          {
            voter: ballot.voter,
            target: ballot.target,
            reason: ballot.reason,
            names: namesIn(ballot.reason, subject, words),
          },
        ],
  );
  return votes.toSorted((a, b) => Number(b.names.length > 0) - Number(a.names.length > 0));
}

function namesIn(
  reason: string,
  { path, hunk }: ReasonSubject,
  words: ReadonlySet<string>,
): readonly string[] {
  const isNamed = hunk === undefined ? namesFile(reason, path) : namesPart(reason, path, hunk);
  const inCode = new Set(
    [...reason.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => wordsOf(code ?? '')),
  );
  const found = [...new Set(wordsOf(reason))].filter(
    // An ordinary word of prose is meant as code only where it is written as code.
    (word) => words.has(word) && (looksLikeCode(word) || inCode.has(word)),
  );
  return [...(isNamed ? [posix.basename(path)] : []), ...found];
}

function codeWords(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_$][\w$]{2,}/g) ?? [];
}

function looksLikeCode(word: string): boolean {
  return /[a-z][A-Z]|[_$\d]/.test(word);
}
