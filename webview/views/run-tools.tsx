import type { JSX } from 'preact';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';

/** What can be done with the record of a finished run. */
export function RunTools({ state }: { readonly state: RunState }): JSX.Element | null {
  const { post, isReplay } = usePanel();
  const { runId } = state;
  return isReplay ? null : (
    <div class="run-tools" role="group" aria-label="Record of the run">
      <button
        type="button"
        class="link link-plain"
        onClick={() => post({ type: 'replay-run', runId })}
      >
        <Icon name="history" /> Replay Run
      </button>
      <button
        type="button"
        class="link link-plain"
        onClick={() => post({ type: 'open-artifacts', runId })}
      >
        <Icon name="folder-opened" /> Open Run Folder
      </button>
    </div>
  );
}
