/** A stretch of a text and what comes in its place; offsets in UTF-16 units, end exclusive. */
export interface ChangedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The one replacement that turns `old` into `text`, in whole lines; `undefined` when they are equal. */
export function changedPart(old: string, text: string): ChangedPart | undefined {
  if (old === text) {
    return undefined;
  }
  const shorter = Math.min(old.length, text.length);
  let same = 0;
  while (same < shorter && old[same] === text[same]) same++;
  let tail = 0;
  while (tail < shorter - same && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  // Both ends at the start of a line: the editor never has to cut a character or a line end in two.
  const start = old.slice(0, same).lastIndexOf('\n') + 1;
  const nextLine = old.indexOf('\n', old.length - tail) + 1;
  const end = nextLine === 0 ? old.length : nextLine;
  return { start, end, text: text.slice(start, text.length - (old.length - end)) };
}
