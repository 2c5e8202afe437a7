// A run that is going on or over.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { selectPhase } from '../../src/run/selectors/phases';
import { selectProblems } from '../../src/run/selectors/problems';
import { selectTimeline } from '../../src/run/selectors/timeline';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { ApprovalCard } from './approval';
import { Candidates } from './candidates';
import { AgentCards } from './cards';
import { ProblemBlock } from './problem';
import { Result } from './result';
import { RunHead } from './run-head';
import { Section } from '../parts/section';
import { Timeline } from './timeline';

export function RunView({ state }: { readonly state: RunState }): JSX.Element {
  const { language } = usePanel();
  const problems = selectProblems(state, language).map((problem) => (
    <ProblemBlock key={problem.id} problem={problem} state={state} />
  ));
  const timeline = <TimelineSection state={state} isClosedAtFirst={state.outcome !== null} />;
  return (
    <article
      class="run"
      aria-label="Run"
      data-run={state.runId}
      data-outcome={state.outcome ?? 'running'}
    >
      <RunHead state={state} />
      {state.outcome === null ? (
        <>
          <ApprovalCard state={state} />
          {problems}
          <Working state={state} />
          {timeline}
          <p class="small run-note">Your files are unchanged. Agents edit their own copies.</p>
        </>
      ) : (
        <Result state={state} problems={problems} timeline={timeline} />
      )}
    </article>
  );
}

/** Cards while drafts are written; the candidates above them once there is something to vote on. */
function Working({ state }: { readonly state: RunState }): JSX.Element {
  if (selectPhase(state) === 'drafts') {
    return <AgentCards state={state} />;
  }
  return (
    <>
      <Candidates state={state} />
      <Section id="agents" title="Agents" note={`${state.agents.length}`} isClosedAtFirst>
        <AgentCards state={state} />
      </Section>
    </>
  );
}

interface TimelineSectionProps {
  readonly state: RunState;
  readonly isClosedAtFirst: boolean;
}

function TimelineSection({ state, isClosedAtFirst }: TimelineSectionProps): JSX.Element {
  const { language } = usePanel();
  // Text that streams in changes the state many times a second, but never these.
  const rows = useMemo(
    () => selectTimeline(state, language),
    [state.timeline, state.startedAt, language],
  );
  const agents = useMemo(() => state.agents.map((agent) => agent.info), [state.agents.length]);
  return (
    <Section
      // The end of the run closes it once; what the reader chose before stays.
      key={isClosedAtFirst ? 'over' : 'going-on'}
      id={isClosedAtFirst ? 'timeline-of-result' : 'timeline'}
      title="Timeline"
      note={`${rows.length} ${rows.length === 1 ? 'event' : 'events'}`}
      isClosedAtFirst={isClosedAtFirst}
    >
      <Timeline rows={rows} agents={agents} runId={state.runId} />
    </Section>
  );
}
