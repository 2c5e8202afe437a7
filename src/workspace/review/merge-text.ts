import type { LineEdit } from '../text-lines';
import { diffLineLists, splitLines } from '../text-lines';

export interface MergeResult {
  /** `undefined` on conflict. */
  readonly text: string | undefined;
  /** The whole text with both sides of each conflict between markers; equal to `text` when there is none. */
  readonly withMarkers: string;
}

/**
 * Carries the difference from `base` to `proposed` over to `live`. Changes of both sides that overlap or touch are a
 * conflict unless they are the same. Every line keeps its own end; when the live text has other line ends as a whole,
 * the proposal takes them.
 */
export function mergeText(
  base: string,
  proposed: string,
  live: string,
  names: { readonly live: string; readonly proposed: string },
): MergeResult {
  const ends = commonLineEnd(base) === commonLineEnd(proposed) ? commonLineEnd(live) : undefined;
  const fit = (text: string): string =>
    ends === undefined || commonLineEnd(text) === undefined ? text : text.replace(/\r?\n/g, ends);
  const lines = splitLines(fit(base));
  const regions = toRegions(
    diffLineLists(lines, splitLines(live)),
    diffLineLists(lines, splitLines(fit(proposed))),
  );
  let clean = '';
  let marked = '';
  let isConflict = false;
  let position = 0;
  for (const region of regions) {
    const between = lines.slice(position, region.start).join('');
    const mine = applyEdits(lines, region, region.mine);
    const theirs = applyEdits(lines, region, region.theirs);
    const chosen = choose(region, mine, theirs);
    isConflict ||= chosen === undefined;
    clean += between + (chosen ?? '');
    marked += between + (chosen ?? withMarkers(mine, theirs, names));
    position = region.end;
  }
  const rest = lines.slice(position).join('');
  return { text: isConflict ? undefined : clean + rest, withMarkers: marked + rest };
}

/** A part of the base that at least one side changed. */
interface Region {
  start: number;
  end: number;
  readonly mine: LineEdit[];
  readonly theirs: LineEdit[];
}

function toRegions(mine: readonly LineEdit[], theirs: readonly LineEdit[]): readonly Region[] {
  const all = [
    ...mine.map((edit) => ({ edit, isMine: true })),
    ...theirs.map((edit) => ({ edit, isMine: false })),
  ].sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  const regions: Region[] = [];
  for (const { edit, isMine } of all) {
    let region = regions.at(-1);
    if (region === undefined || edit.start > region.end) {
      region = { start: edit.start, end: edit.end, mine: [], theirs: [] };
      regions.push(region);
    }
    region.end = Math.max(region.end, edit.end);
    (isMine ? region.mine : region.theirs).push(edit);
  }
  return regions;
}

function applyEdits(lines: readonly string[], region: Region, edits: readonly LineEdit[]): string {
  let text = '';
  let position = region.start;
  for (const edit of edits) {
    text += lines.slice(position, edit.start).join('') + edit.lines.join('');
    position = edit.end;
  }
  return text + lines.slice(position, region.end).join('');
}

function choose(region: Region, mine: string, theirs: string): string | undefined {
  if (region.theirs.length === 0 || mine === theirs) {
    return mine;
  }
  return region.mine.length === 0 ? theirs : undefined;
}

function withMarkers(
  mine: string,
  theirs: string,
  names: { readonly live: string; readonly proposed: string },
): string {
  const whole = (text: string): string =>
    text === '' || /[\r\n]$/.test(text) ? text : `${text}\n`;
  return `<<<<<<< ${names.live}\n${whole(mine)}=======\n${whole(theirs)}>>>>>>> ${names.proposed}\n`;
}

/** `undefined` when the text mixes line ends or has none. */
function commonLineEnd(text: string): '\n' | '\r\n' | undefined {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  const lf = text.match(/(?<!\r)\n/g)?.length ?? 0;
  if (all === 0 || (crlf !== all && lf !== all)) {
    return undefined;
  }
  return crlf === all ? '\r\n' : '\n';
}
