// Text as a terminal draws it: how many columns it takes, cut and wrapped by that. Nothing here may hold escapes.
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { wellFormed } from '../../base/text';
import { revealHidden, revealOnOneLine } from '../../run/selectors/visible-text';
import type { Style } from '../terminal';

/** A piece of a line in one style. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One line of the screen, from left to right. */
export type Line = readonly Span[];

/** Words of models, services and files on one line, with nothing in them that a terminal would obey. */
export function oneLine(text: string): string {
  return wellFormed(revealOnOneLine(text));
}

/** The same for text of several lines. */
export function manyLines(text: string): string {
  return wellFormed(revealHidden(text.replaceAll('\r\n', '\n'))).replaceAll('\t', '    ');
}

export function widthOf(text: string): number {
  return stringWidth(text);
}

/** At most `width` columns of `text`, with `…` at the end when it was cut. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) {
    return text;
  }
  let kept = width < 1 ? '' : sliceAnsi(text, 0, width - 1);
  while (kept !== '' && widthOf(kept) > width - 1) {
    kept = kept.slice(0, -1);
  }
  return width < 1 ? '' : `${kept}…`;
}

/** Exactly `width` columns. */
export function fill(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)));
}

/** The same with the text at the right edge, for numbers. */
export function fillLeft(text: string, width: number): string {
  const shown = cut(text, width);
  return ' '.repeat(Math.max(0, width - widthOf(shown))) + shown;
}

/** Broken at spaces, inside a word only when it is longer than a line; indentation is kept. */
export function wrapped(text: string, width: number): readonly string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true, trim: false })
    .split('\n')
    .map((line) => cut(line.trimEnd(), Math.max(1, width)));
}

/** The spans up to `width` columns. */
export function cutLine(line: Line, width: number): Line {
  const kept: Span[] = [];
  let left = width;
  for (const span of line) {
    const text = cut(span.text, left);
    left -= widthOf(text);
    if (text !== '') {
      kept.push({ ...span, text });
    }
    if (text !== span.text) {
      break;
    }
  }
  return kept;
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** `left` and `right` at the two edges; `right` is left out where both do not fit. */
export function edges(left: Line, right: Line, width: number): Line {
  const room = width - lineWidth(left) - lineWidth(right);
  return room < 2 ? cutLine(left, width) : [...left, { text: ' '.repeat(room) }, ...right];
}
