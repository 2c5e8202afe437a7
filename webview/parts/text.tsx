// Small pieces of text with a meaning of their own.
import type { JSX } from 'preact';
import type { Slot } from '../../src/base/ids';
import { splitLabels } from '../../src/run/selectors/names';

/** The number of an agent in its ring; filled for the winner. */
export function Mark({
  slot,
  isWinner,
}: {
  readonly slot: Slot;
  readonly isWinner?: boolean;
}): JSX.Element {
  return (
    <span class={isWinner ? 'mark mark-won' : 'mark'} aria-hidden="true">
      {slot}
    </span>
  );
}

/** A label such as `agent2.2`, struck through when it no longer counts. */
export function LabelText({
  label,
  isStruck,
}: {
  readonly label: string;
  readonly isStruck?: boolean;
}): JSX.Element {
  return isStruck ? <s class="label">{label}</s> : <span class="label">{label}</span>;
}

/** A sentence of ours with its labels set in the font for code. */
export function Sentence({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {splitLabels(text).map((piece) =>
        piece.isLabel ? <LabelText label={piece.text} /> : piece.text,
      )}
    </>
  );
}

/** Text of a model with `code` between backticks; everything else stays as it was written. */
export function TextWithCode({ text }: { readonly text: string }): JSX.Element {
  return (
    <>{text.split(/`([^`\n]+)`/).map((piece, i) => (i % 2 === 1 ? <code>{piece}</code> : piece))}</>
  );
}
