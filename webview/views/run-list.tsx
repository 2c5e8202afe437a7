import type { JSX } from 'preact';
import type { RunListEntry } from '../../src/protocol/webview';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import { useRoving } from '../parts/roving';

interface RunListProps {
  readonly runs: readonly RunListEntry[];
  readonly shownRunId: string | null;
}

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
        {runs.map(({ runId, task, isActive }) => (
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
              {isActive ? (
                <Icon name="ring" tone="live" isSpinning label="Running" />
              ) : (
                <Icon name="check" tone="dim" label="Ended" />
              )}
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
