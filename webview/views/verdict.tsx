import type { JSX } from 'preact';
import type { Verdict } from '../../src/run/selectors/verdict';
import { Icon } from '../parts/icon';
import { Sentence } from '../parts/text';

/** Why this answer: one sentence, then the rule and the numbers. */
export function VerdictBlock({ verdict }: { readonly verdict: Verdict }): JSX.Element {
  return (
    <section class="verdict" aria-label="Verdict" data-winner={verdict.label}>
      <h2 class="headline">
        <Sentence text={verdict.headline} />
      </h2>
      <p class="measure">
        <Sentence text={verdict.paragraph} />
      </p>
      {verdict.familyWarning === null ? null : (
        <p class="icon-line">
          <Icon name="warning" tone="ask" />
          <span>{verdict.familyWarning}</span>
        </p>
      )}
    </section>
  );
}
