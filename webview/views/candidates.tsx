import type { JSX } from 'preact';
import { selectCandidates } from '../../src/run/selectors/candidates';
import { formatAdded, formatRemoved } from '../../src/run/selectors/formats';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { useRoving } from '../parts/roving';
import { Section } from '../parts/section';
import { LabelText, Mark, TextWithCode } from '../parts/text';

/** The answers that can be voted for, in the order of the team. */
export function Candidates({ state }: { readonly state: RunState }): JSX.Element {
  const { post, language } = usePanel();
  const root = useRoving();
  const { candidates, text } = selectCandidates(state);
  return (
    <Section id="candidates" title="Candidates" note={text}>
      <ul class="candidates" ref={root}>
        {candidates.map(({ slot, label, summary, files, added, removed }) => (
          <li key={slot} class="candidate">
            <button
              type="button"
              class="candidate-open"
              data-item={label}
              title={summary}
              onClick={() => post({ type: 'open-answer', runId: state.runId, label })}
            >
              <Mark slot={slot} />
              <LabelText label={label} />
              <span class="candidate-summary clipped" dir="auto">
                <TextWithCode text={summary} />
              </span>
              <span class="counts">
                <span>{files === 1 ? '1 file' : `${files} files`}</span>
                <span class="add">{formatAdded(added, language)}</span>
                <span class="del">{formatRemoved(removed, language)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
