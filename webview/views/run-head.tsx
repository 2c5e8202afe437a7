import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { selectPhases } from '../../src/run/selectors/phases';
import { selectRuleLine } from '../../src/run/selectors/rule';
import { selectSums } from '../../src/run/selectors/sums';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { useStill } from '../parts/still';
import { Sentence } from '../parts/text';

interface RunHeadProps {
  readonly state: RunState;
  /** The result is shown, and with it the end of the run. */
  readonly isOver: boolean;
}

/** Stays in sight: the task, how far the run is, by which rule it is decided, and what it has used. */
export function RunHead({ state, isOver }: RunHeadProps): JSX.Element {
  const { post, now, language, isReplay } = usePanel();
  const [isStopping, setStopping] = useState(false);
  useEffect(() => setStopping(false), [state.runId]);
  const rule = useStill(selectRuleLine(state, language));
  return (
    <header class="run-head">
      <div class="run-task">
        <h1 class="run-task-text" dir="auto" title={state.task}>
          {state.task}
        </h1>
        {isOver || isReplay ? null : (
          <Button
            text={isStopping ? 'Stopping' : 'Stop'}
            icon="debug-stop"
            isDisabled={isStopping || state.outcome !== null}
            onClick={() => {
              setStopping(true);
              post({ type: 'stop-run', runId: state.runId });
            }}
          />
        )}
      </div>
      {isOver ? null : <Phases state={state} />}
      {rule === '' ? null : (
        <p class="run-rule">
          <Sentence text={rule} />
        </p>
      )}
      <p class="run-sums">
        {state.session === null ? null : <span>{`Turn ${state.session.turn}`}</span>}
        {state.attempt > 1 ? <span>{`Attempt ${state.attempt}`}</span> : null}
        {selectSums(state, now.value, language).map((part) => (
          <span>{part}</span>
        ))}
      </p>
      {state.isScripted ? <p class="small">A script, made by hand. No model runs.</p> : null}
    </header>
  );
}

function Phases({ state }: { readonly state: RunState }): JSX.Element {
  return (
    <ol class="phases" aria-label="Phases">
      {selectPhases(state).map(({ phase, text, status }) => (
        <li
          key={phase}
          class={`phase phase-${status}`}
          aria-current={status === 'now' ? 'step' : undefined}
        >
          {status === 'done' ? <Icon name="check" label="Done" /> : null}
          {text}
        </li>
      ))}
    </ol>
  );
}
