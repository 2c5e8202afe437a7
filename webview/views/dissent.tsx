import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { selectDissent } from '../../src/run/selectors/dissent';
import type { Dissent } from '../../src/run/selectors/dissent';
import type { RunState } from '../../src/run/state';
import { Sentence } from '../parts/text';
import { Quote } from './timeline';

/** Votes against the decision, the first in sight and the others on request. */
export function DissentBlock({ state }: { readonly state: RunState }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const all = selectDissent(state);
  if (all.length === 0) {
    return null;
  }
  const rest = all.length - 1;
  return (
    <section class="dissent" aria-label="Dissent">
      {(isWhole ? all : all.slice(0, 1)).map((dissent) => (
        <Vote key={dissent.slot} dissent={dissent} />
      ))}
      {rest > 0 ? (
        <button
          type="button"
          class="link"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `${rest} more`}
        </button>
      ) : null}
    </section>
  );
}

function Vote({ dissent }: { readonly dissent: Dissent }): JSX.Element {
  return (
    <div class="dissent-vote">
      <p>
        <b>Dissent</b>{' '}
        <span class="dim">
          <Sentence text={dissent.text} />
        </span>
      </p>
      {dissent.reason === '' ? null : (
        <blockquote class="measure">
          <Quote text={`“${dissent.reason}”`} />
        </blockquote>
      )}
    </div>
  );
}
