// A run that is going on or over.
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Slot } from '../../src/base/ids';
import type { HostState } from '../../src/protocol/webview';
import { selectPhase } from '../../src/run/selectors/phases';
import { selectProblems } from '../../src/run/selectors/problems';
import { selectTimeline } from '../../src/run/selectors/timeline';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { ApprovalCard } from './approval';
import { Attempts } from './attempts';
import { Candidates } from './candidates';
import { AgentCards } from './cards';
import { EarlierTurns } from './earlier-turns';
import { Instructions } from './instructions';
import { ProblemBlock } from './problem';
import { Result } from './result';
import { RunHead } from './run-head';
import { Section } from '../parts/section';
import { useStill } from '../parts/still';
import { SteerBar } from './steer-bar';
import { Timeline } from './timeline';

interface RunProps {
  readonly state: RunState;
  readonly host: HostState;
}

/** Which parts are shown, and where. */
type Layout = 'drafts' | 'candidates' | 'result';

export function RunView({ state, host }: RunProps): JSX.Element {
  const { language } = usePanel();
  const layout = useStill(layoutOf(state));
  const problems = selectProblems(state, language).map((problem) => (
    <ProblemBlock key={problem.id} problem={problem} state={state} />
  ));
  const timeline = <TimelineSection state={state} isClosedAtFirst={layout === 'result'} />;
  return (
    <article
      class="run"
      aria-label="Run"
      data-run={state.runId}
      data-outcome={state.outcome ?? 'running'}
    >
      <EarlierTurns state={state} session={host.session} />
      <RunHead state={state} isOver={layout === 'result'} />
      <Attempts state={state} />
      {layout !== 'result' ? (
        <GoingOn state={state} layout={layout} problems={problems} timeline={timeline} />
      ) : (
        <Result state={state} host={host} problems={problems} timeline={timeline} />
      )}
    </article>
  );
}

function layoutOf(state: RunState): Layout {
  if (state.outcome !== null) {
    return 'result';
  }
  return selectPhase(state) === 'drafts' ? 'drafts' : 'candidates';
}

interface GoingOnProps {
  readonly state: RunState;
  readonly layout: Layout;
  readonly problems: readonly JSX.Element[];
  readonly timeline: JSX.Element;
}

function GoingOn({ state, layout, problems, timeline }: GoingOnProps): JSX.Element {
  const { isFile } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  const [target, setTarget] = useState<Slot | null>(null);
  const onMessage = (slot: Slot): void => {
    setTarget(slot);
    box.current?.focus();
  };
  return (
    <>
      <ApprovalCard state={state} />
      {problems}
      <Working state={state} layout={layout} onMessage={onMessage} />
      {timeline}
      <Instructions state={state} />
      {isFile ? null : <ForTheUser state={state} />}
      <SteerBar state={state} box={box} target={target} onTarget={setTarget} />
    </>
  );
}

/** Whoever reads a file of the run has no part in it. */
function ForTheUser({ state }: { readonly state: RunState }): JSX.Element {
  return (
    <p class="small run-note">
      Your files are unchanged. Agents edit their own copies.{' '}
      {state.unconfinedReason === null
        ? 'Commands are confined to each agent’s copy.'
        : 'Commands are not confined here; each one asks you first.'}
    </p>
  );
}

interface WorkingProps {
  readonly state: RunState;
  readonly layout: Layout;
  readonly onMessage: (slot: Slot) => void;
}

/** Cards while drafts are written; the candidates above them once there is something to vote on. */
function Working({ state, layout, onMessage }: WorkingProps): JSX.Element {
  if (layout === 'drafts') {
    return <AgentCards state={state} onMessage={onMessage} />;
  }
  return (
    <>
      <Candidates state={state} />
      <Section id="agents" title="Agents" note={`${state.agents.length}`} isClosedAtFirst>
        <AgentCards state={state} onMessage={onMessage} />
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
  const statuses = state.agents.map(({ status }) => status).join();
  const rows = useMemo(
    () => selectTimeline(state, language),
    [state.timeline, state.steering, statuses, state.startedAt, language],
  );
  const begun = state.timeline.findLast(({ kind }) => kind === 'attempt')?.seq ?? 0;
  const earlier = rows.filter(({ seq }) => seq < begun).length;
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
      <Timeline rows={rows} earlier={earlier} agents={agents} runId={state.runId} />
    </Section>
  );
}
