import type { JSX } from 'preact';
import type { Problem, ProblemAction } from '../../src/run/selectors/problems';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Meter } from '../parts/bar';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';
import { Sentence } from '../parts/text';

const icons: Readonly<Record<Problem['icon'], readonly [name: IconName, tone: IconTone]>> = {
  stop: ['debug-stop', 'dim'],
  clock: ['clock', 'ask'],
  error: ['error', 'bad'],
  law: ['law', 'ask'],
};

interface ProblemProps {
  readonly problem: Problem;
  readonly state: RunState;
}

export function ProblemBlock({ problem, state }: ProblemProps): JSX.Element {
  const { post, isReplay } = usePanel();
  const [icon, tone] = icons[problem.icon];
  // A running or decided run has its own primary button; without consensus nothing is put forward.
  const isAlone =
    state.outcome !== null &&
    state.outcome !== 'no-consensus' &&
    (state.selection?.winner ?? null) === null;
  return (
    <section class="problem" aria-label={problem.heading} data-problem={problem.id}>
      <header>
        <Icon name={icon} tone={tone} />
        <h2>{problem.heading}</h2>
      </header>
      <p dir="auto">
        <Sentence text={problem.text} />
      </p>
      {(problem.id === 'no-consensus' || problem.id === 'gate-failed') && !isReplay ? (
        <p>Use one of the answers below, or ask a follow-up.</p>
      ) : null}
      {problem.detail.length > 0 ? (
        <pre class="code-box problem-detail" tabIndex={0}>
          {problem.detail.join('\n')}
        </pre>
      ) : null}
      {problem.meter === null ? null : (
        <div class="problem-detail">
          <Meter share={problem.meter.share} />
          <p class="small">{problem.meter.text}</p>
        </div>
      )}
      {isReplay ? null : (
        <div class="problem-actions">
          {problem.actions.map((action, i) => (
            <Button
              text={action.text}
              isPrimary={isAlone && i === 0}
              onClick={() => perform(action, state.runId, post)}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function perform(
  action: ProblemAction,
  runId: string,
  post: ReturnType<typeof usePanel>['post'],
): void {
  switch (action.does) {
    case 'open-answer':
      if (action.label !== undefined) post({ type: 'open-answer', runId, label: action.label });
      return;
    case 'revive-agent':
      if (action.slot !== undefined) post({ type: 'revive-agent', runId, slot: action.slot });
      return;
    case 'resume-run':
      post({ type: 'resume-run', runId });
      return;
    default:
      post({ type: 'action', action: action.does });
  }
}
