// Which votes name a file of the proposal, and which of its lines. What a reason does not name in so many words is not guessed.
import type { Ballot, HunkInfo } from '../facts';
import type { RunState } from '../state';
import { counted } from './formats';

/** A vote whose reason names a file. */
export interface Mention {
  /** The vote was for another answer than the one that is proposed. */
  readonly isDissent: boolean;
  /** The lines it names, from 1, both ends included; empty: the file as a whole. */
  readonly lines: readonly (readonly [first: number, last: number])[];
}

/** Answers for a path; names of files without their folder count where no other file of the proposal has the same. */
export type MentionsOf = (path: string) => readonly Mention[];

export function selectMentions({ agents, review }: RunState): MentionsOf {
  const ballots = agents.flatMap(({ ballot }) => (ballot === null ? [] : [ballot]));
  const reasons = ballots.filter(({ reason }) => reason !== '');
  const counts = new Map<string, number>();
  for (const { path } of review?.files ?? []) {
    counts.set(nameOf(path), (counts.get(nameOf(path)) ?? 0) + 1);
  }
  return (path) => {
    const name = nameOf(path);
    const names = counts.get(name) === 1 ? [path, name] : [path];
    return reasons.flatMap((ballot) => mention(ballot, names, review?.label) ?? []);
  };
}

/** `named in 2 votes, dissent`, for a part where one is given; may be empty. */
export function mentionNote(mentions: readonly Mention[], hunk?: HunkInfo): string {
  const about = mentions.filter(({ lines }) =>
    hunk === undefined ? true : lines.some((range) => isIn(range, hunk)),
  );
  const isDissent = about.some((one) => one.isDissent);
  const others = about.filter((one) => !one.isDissent).length;
  return [
    ...(others === 0 ? [] : [`named in ${counted(others, 'vote', 'votes')}`]),
    ...(isDissent ? ['dissent'] : []),
  ].join(', ');
}

function mention(
  { reason, target }: Ballot,
  names: readonly string[],
  reviewed: string | undefined,
): Mention | undefined {
  const rests = names.flatMap((name) => restsAfter(reason, name));
  return rests.length === 0
    ? undefined
    : { isDissent: target !== reviewed, lines: rests.flatMap((rest) => linesAt(rest)) };
}

/** Whether a reason names the file: its whole path, or its name alone. */
export function namesFile(reason: string, path: string): boolean {
  return [path, nameOf(path)].some((name) => restsAfter(reason, name).length > 0);
}

/** Whether it names lines of the part, right behind the name of the file. */
export function namesPart(reason: string, path: string, hunk: HunkInfo): boolean {
  const rests = [path, nameOf(path)].flatMap((name) => restsAfter(reason, name));
  return rests.flatMap(linesAt).some((range) => isIn(range, hunk));
}

/** What follows each place where the whole name stands. */
function restsAfter(text: string, name: string): readonly string[] {
  const rests: string[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text[at - 1] ?? ' ';
    const rest = text.slice(at + name.length);
    if (!/[\w./-]/.test(before) && !/^[\w/-]|^\.\w/.test(rest)) {
      rests.push(rest);
    }
  }
  return rests;
}

/** `:41`, `:12-24`, ` lines 12 to 24`, `#L12`, right behind the name. */
const lineNumbers =
  /^["'`)]*(?::|#L|,?\s+(?:at\s+|in\s+)?lines?\s+)(\d{1,7})(?:\s*(?:-|–|to)\s*L?(\d{1,7}))?/;

function linesAt(rest: string): readonly (readonly [number, number])[] {
  const [, first, last] = lineNumbers.exec(rest) ?? [];
  return first === undefined ? [] : [[Number(first), Number(last ?? first)]];
}

/** Voters read the files of the answer, so its own lines are meant; a part that only removes is where its lines were. */
function isIn([first, last]: readonly [number, number], { newStart, newLines }: HunkInfo): boolean {
  return first <= newStart + Math.max(newLines, 1) && last >= newStart + 1;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
