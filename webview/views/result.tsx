// A run that is over: the reason first, then the proof, then what can be done with it.
import type { ComponentChildren, JSX } from 'preact';
import { selectCosts } from '../../src/run/selectors/costs';
import { selectVerdict } from '../../src/run/selectors/verdict';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Section } from '../parts/section';
import { ActionBar } from './action-bar';
import { Answer } from './answer';
import { Candidates } from './candidates';
import { ChangedFilesSection } from './changed-files';
import { CostTable } from './cost-table';
import { DissentBlock } from './dissent';
import { Reasons, TallyTable } from './tally-table';
import { VerdictBlock } from './verdict';

interface ResultProps {
  readonly state: RunState;
  readonly problems: ComponentChildren;
  readonly timeline: ComponentChildren;
}

export function Result({ state, problems, timeline }: ResultProps): JSX.Element {
  const { language } = usePanel();
  const verdict = selectVerdict(state, language);
  const hasAnswers = state.agents.some((agent) => agent.revisions.length > 0);
  const hadVotes = state.agents.some((agent) => agent.ballots.length > 0);
  return (
    <>
      {verdict === undefined ? (
        <>
          {problems}
          {hasAnswers ? <Candidates state={state} /> : null}
        </>
      ) : (
        <>
          <VerdictBlock verdict={verdict} />
          {hadVotes ? <TallyTable state={state} /> : null}
          <DissentBlock state={state} />
          {hadVotes ? <Reasons state={state} /> : null}
          {problems}
          <ChangedFilesSection state={state} />
        </>
      )}
      {state.finalAnswer === null ? null : (
        <Answer runId={state.runId} text={state.finalAnswer.text} />
      )}
      <div class="two-columns">
        <Section id="cost" title="Cost" note={selectCosts(state, language).summary}>
          <CostTable state={state} />
        </Section>
        {timeline}
      </div>
      <ActionBar state={state} />
    </>
  );
}
