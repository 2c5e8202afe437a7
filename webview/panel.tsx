// The whole panel: which of its views is shown, and what all of them share.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ReadonlySignal } from '@preact/signals';
import type { HostState } from '../src/protocol/webview';
import type { Memory } from './memory';
import { PanelContext } from './panel-context';
import { Announcer } from './parts/announcer';
import type { Store } from './store';
import { ComposeView } from './views/compose';
import { BlockerView } from './views/blocker';
import { RunList } from './views/run-list';
import { RunView } from './views/run';
import { StartView } from './views/start';
import type { Post } from './vscode-api';

interface PanelProps {
  readonly store: Store;
  readonly post: Post;
  readonly memory: Memory;
  readonly now: ReadonlySignal<number>;
}

export function Panel({ store, post, memory, now }: PanelProps): JSX.Element | null {
  const host = store.host.value;
  const language = host?.language ?? 'en';
  const tools = useMemo(() => ({ post, memory, now, language }), [post, memory, now, language]);
  if (host === null) {
    return null;
  }
  return (
    <PanelContext.Provider value={tools}>
      <Announcer announcements={store.announcements.value} run={store.run.value} />
      <main class="view" aria-label="MassGen run">
        <RunList runs={host.runs} shownRunId={host.shownRunId} />
        {host.shownRunId === null ? (
          <NewRunView host={host} store={store} />
        ) : (
          <ShownRun runId={host.shownRunId} store={store} />
        )}
      </main>
    </PanelContext.Provider>
  );
}

/** Nothing is drawn until the snapshot of the run that is to be shown has come. */
function ShownRun({
  runId,
  store,
}: {
  readonly runId: string;
  readonly store: Store;
}): JSX.Element | null {
  const state = store.run.value;
  return state?.runId === runId ? <RunView key={runId} state={state} /> : null;
}

function NewRunView({
  host,
  store,
}: {
  readonly host: HostState;
  readonly store: Store;
}): JSX.Element {
  const canRunSample = host.sampleTask !== null && host.teams.length > 0;
  if (host.blocker !== null && host.blocker.kind !== 'no-model') {
    return <BlockerView blocker={host.blocker} />;
  }
  return host.hasNoModel && !canRunSample ? (
    <StartView />
  ) : (
    <ComposeView host={host} prefill={store.prefill.value} />
  );
}
