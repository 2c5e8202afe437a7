import type { JSX } from 'preact';
import { selectChoice } from '../../src/run/selectors/choice';
import { selectDecisionSteps } from '../../src/run/selectors/decision-steps';
import { selectIndependence, selectSameModels } from '../../src/run/selectors/independence';
import { selectOutcome } from '../../src/run/selectors/outcome';
import type { Outcome } from '../../src/run/selectors/outcome';
import type { Verdict } from '../../src/run/selectors/verdict';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { Sentence } from '../parts/text';

interface VerdictProps {
  readonly verdict: Verdict;
  readonly state: RunState;
}

/** Why this answer: what the poll came to, one sentence, then the rule and the numbers. */
export function VerdictBlock({ verdict, state }: VerdictProps): JSX.Element {
  const { language } = usePanel();
  const outcome = selectOutcome(state, language);
  return (
    <section class="verdict" aria-label="Verdict" data-winner={verdict.label}>
      {outcome === undefined ? null : <OutcomeWord outcome={outcome} />}
      <h2 class="headline">
        <Sentence text={verdict.headline} />
      </h2>
      <TeamsChoice state={state} />
      <p class="measure">
        <Sentence text={verdict.paragraph} />
      </p>
      <Steps state={state} />
    </section>
  );
}

/** The outcome as a head of its own, in words and with a drawing. */
function OutcomeWord({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  return (
    <p class="outcome" data-outcome-kind={outcome.kind}>
      {outcome.kind === 'by-you' ? (
        <Icon name="account" />
      ) : outcome.isWeak ? (
        <Icon name="law" tone="ask" />
      ) : (
        <Icon name="law" />
      )}
      <span>
        <Sentence text={outcome.word} />
      </span>
    </p>
  );
}

/** What came between the first count and the choice, where it was more than a count. */
export function Steps({ state }: { readonly state: RunState }): JSX.Element | null {
  const { language } = usePanel();
  const steps = selectDecisionSteps(state, language);
  return steps.length === 0 ? null : (
    <ul class="steps" aria-label="How it was decided">
      {steps.map((step) => (
        <li class="measure">
          <Sentence text={step} />
        </li>
      ))}
    </ul>
  );
}

/** After the user has chosen another answer: what the team had chosen, and the way back to it. */
function TeamsChoice({ state }: { readonly state: RunState }): JSX.Element | null {
  const { post, isReplay } = usePanel();
  const { isByUser, ofTeam } = selectChoice(state);
  if (!isByUser) {
    return null;
  }
  return (
    <div class="teams-choice">
      <p>
        {ofTeam === null ? (
          'The team had not decided.'
        ) : (
          <Sentence text={`The team’s choice was ${ofTeam}.`} />
        )}
      </p>
      {ofTeam === null || isReplay ? null : (
        <Button
          text="Use the Team’s Choice"
          icon="discard"
          onClick={() => post({ type: 'override', runId: state.runId, label: ofTeam })}
        />
      )}
    </div>
  );
}

/** How many separate opinions the votes are worth, and who of the team is the same model. */
export function IndependenceLine({ state }: { readonly state: RunState }): JSX.Element | null {
  const { language } = usePanel();
  const independence = selectIndependence(state, language);
  const same = selectSameModels(state, language);
  return independence === undefined && same.length === 0 ? null : (
    <div class="independence">
      {independence === undefined ? null : (
        <p class="icon-line" title={independence.explanation}>
          {independence.isLow ? <Icon name="warning" tone="ask" /> : null}
          <span class="small">{independence.text}</span>
          <span class="hidden-text">{independence.explanation}</span>
        </p>
      )}
      {same.map((sentence) => (
        <p class="icon-line">
          <Icon name="warning" tone="ask" />
          <span class="small">{sentence}</span>
        </p>
      ))}
    </div>
  );
}
