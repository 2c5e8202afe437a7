// A run that is over: the reason first, then the proof, then what can be done with it.
import type { ComponentChildren, JSX } from 'preact';
import type { HostState } from '../../src/protocol/webview';
import { selectCosts } from '../../src/run/selectors/costs';
import { selectVerdict } from '../../src/run/selectors/verdict';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Section } from '../parts/section';
import { ActionBar } from './action-bar';
import { Answer } from './answer';
import { Candidates } from './candidates';
import { ChangedFilesSection } from './changed-files';
import { ContinueBox } from './continue-box';
import { CostTable } from './cost-table';
import { DissentBlock } from './dissent';
import { Instructions } from './instructions';
import { RunTools } from './run-tools';
import { Reasons, TallyTable } from './tally-table';
import { Steps, VerdictBlock } from './verdict';
import { WhatIf } from './what-if';

interface ResultProps {
  readonly state: RunState;
  readonly host: HostState;
  readonly problems: ComponentChildren;
  readonly timeline: ComponentChildren;
}

export function Result({ state, host, problems, timeline }: ResultProps): JSX.Element {
  const { language } = usePanel();
  const answers = state.agents.filter((agent) => agent.revisions.length > 0).length;
  const hadVotes = state.agents.some((agent) => agent.ballots.length > 0);
  return (
    <>
      <Decision state={state} problems={problems} />
      {state.finalAnswer === null ? null : (
        <Answer runId={state.runId} answer={state.finalAnswer} />
      )}
      {hadVotes && answers > 1 ? <WhatIf state={state} /> : null}
      <div class="two-columns">
        <Section id="cost" title="Cost" note={selectCosts(state, language).summary}>
          <CostTable state={state} />
        </Section>
        {timeline}
      </div>
      <Instructions state={state} />
      <RunTools state={state} />
      <ContinueBox state={state} host={host} />
      <ActionBar state={state} />
    </>
  );
}

interface DecisionProps {
  readonly state: RunState;
  readonly problems: ComponentChildren;
}

/** What was chosen and why; where nothing was, the answers side by side with their votes. */
function Decision({ state, problems }: DecisionProps): JSX.Element {
  const { language } = usePanel();
  const verdict = selectVerdict(state, language);
  const answers = state.agents.filter((agent) => agent.revisions.length > 0).length;
  const hadVotes = state.agents.some((agent) => agent.ballots.length > 0);
  if (verdict === undefined) {
    return (
      <>
        {problems}
        <Steps state={state} />
        {answers > 0 ? <Candidates state={state} /> : null}
        {hadVotes ? (
          <>
            <TallyTable state={state} />
            <Reasons state={state} />
          </>
        ) : null}
      </>
    );
  }
  return (
    <>
      <VerdictBlock verdict={verdict} state={state} />
      {hadVotes ? <TallyTable state={state} /> : null}
      <DissentBlock state={state} />
      {hadVotes ? <Reasons state={state} /> : null}
      {problems}
      <ChangedFilesSection state={state} />
      {answers > 1 ? <Candidates state={state} isClosedAtFirst /> : null}
    </>
  );
}
