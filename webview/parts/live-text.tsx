import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { TextWithCode } from './text';

/** More than three lines at any width; the rest is in the document that the card opens. */
const shownCharacters = 1200;

/**
 * The newest text of an agent in a box of fixed height, its last line at the bottom. While the reader has text of it
 * selected, the text stays as it is, and "Newest" leads on.
 */
export function LiveText({ text }: { readonly text: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(text);
  const [, refresh] = useState(0);
  const isHeld = hasSelectionIn(box.current);
  if (!isHeld) {
    shown.current = text;
  }
  return (
    <div class="live-text" ref={box}>
      <p dir="auto">
        <TextWithCode text={tail(shown.current)} />
      </p>
      {isHeld && shown.current !== text ? (
        <button
          type="button"
          class="button live-text-newest"
          onClick={() => {
            document.getSelection()?.removeAllRanges();
            refresh((count) => count + 1);
          }}
        >
          Newest
        </button>
      ) : null}
    </div>
  );
}

function tail(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.length - shownCharacters;
  const first = trimmed.charCodeAt(Math.max(0, start));
  const isSplit = start > 0 && first >= 0xdc00 && first <= 0xdfff;
  return start <= 0 ? trimmed : trimmed.slice(isSplit ? start + 1 : start);
}

function hasSelectionIn(box: HTMLElement | null): boolean {
  const selection = document.getSelection();
  return (
    box !== null &&
    selection !== null &&
    // Asked first, as the others make the page lay itself out.
    selection.rangeCount > 0 &&
    !selection.isCollapsed &&
    (box.contains(selection.anchorNode) || box.contains(selection.focusNode))
  );
}
