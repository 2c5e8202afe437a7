import type { JSX } from 'preact';
import type { RunListEntry, RunMark } from '../../src/protocol/webview';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';
import { useRoving } from '../parts/roving';

interface RunListProps {
  readonly runs: readonly RunListEntry[];
  readonly shownRunId: string | null;
}

const icons: Readonly<
  Record<RunMark, { readonly name: IconName; readonly tone: IconTone; readonly label: string }>
> = {
  running: { name: 'ring', tone: 'live', label: 'Running' },
  'needs-you': { name: 'warning', tone: 'ask', label: 'Needs you' },
  ended: { name: 'check', tone: 'dim', label: 'Ended' },
  failed: { name: 'error', tone: 'bad', label: 'Failed' },
  stopped: { name: 'debug-stop', tone: 'dim', label: 'Stopped' },
};

/** The runs of this window, to go from one to another; left out while there is nowhere else to go. */
export function RunList({ runs, shownRunId }: RunListProps): JSX.Element | null {
  const { post } = usePanel();
  const root = useRoving();
  const others = runs.filter((run) => run.runId !== shownRunId);
  if (others.length === 0) {
    return null;
  }
  return (
    <nav class="run-list" aria-label="Runs of this window">
      <ul ref={root}>
        {runs.map(({ runId, task, mark }) => (
          <li key={runId}>
            <button
              type="button"
              class="run-list-item"
              data-item={runId}
              data-run={runId}
              title={task}
              aria-current={runId === shownRunId ? 'true' : undefined}
              onClick={() => post({ type: 'show-run', runId })}
            >
              <Icon {...icons[mark]} isSpinning={mark === 'running'} />
              <span class="clipped" dir="auto">
                {task}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
