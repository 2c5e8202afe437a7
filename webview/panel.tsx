// The whole panel: which of its views is shown, and what all of them share.
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Blocker, HostState } from '../src/protocol/webview';
import type { Memory } from './memory';
import { PanelContext } from './panel-context';
import { Announcer } from './parts/announcer';
import type { Store } from './store';
import { ComposeView } from './views/compose';
import { BlockerView } from './views/blocker';
import { RunList } from './views/run-list';
import { ReplayView } from './views/replay';
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
  const isFile = host?.file !== undefined;
  const tools = useMemo(
    () => ({
      ...{ post, memory, now, language, isReplay: false, isFile },
      ...{ revealed: store.revealed, isMenuOpen: signal(false) },
    }),
    [post, memory, now, language, isFile, store],
  );
  useTopOfNewPage(host === null ? undefined : (host.shownRunId ?? 'new run'));
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
          <ShownRun runId={host.shownRunId} host={host} store={store} />
        )}
      </main>
    </PanelContext.Provider>
  );
}

/**
 * Another page begins at its top: Run stands at the end of a long page, and the run would else be seen from its middle.
 * The first page stays where the reader left it.
 */
function useTopOfNewPage(page: string | undefined): void {
  const shown = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (shown.current !== undefined && page !== undefined && shown.current !== page) {
      window.scrollTo(0, 0);
    }
    shown.current = page ?? shown.current;
  }, [page]);
}

/** Nothing is drawn until the snapshot of the run that is to be shown has come. */
function ShownRun({
  runId,
  host,
  store,
}: {
  readonly runId: string;
  readonly host: HostState;
  readonly store: Store;
}): JSX.Element | null {
  const state = store.run.value;
  const replay = store.replay.value;
  if (replay?.runId === runId) {
    return <ReplayView key={`replay ${runId}`} replay={replay} host={host} />;
  }
  return state?.runId === runId ? <RunView key={runId} state={state} host={host} /> : null;
}

/** Settled by another team, or by a second try; the others need the window or the folder to change. */
const settledHere: readonly Blocker['kind'][] = [
  'bad-team-file',
  'team-file-not-trusted',
  'leaves-this-machine',
  'failed-to-start',
];

function NewRunView({
  host,
  store,
}: {
  readonly host: HostState;
  readonly store: Store;
}): JSX.Element {
  const blocker = host.blocker?.kind === 'no-model' ? null : host.blocker;
  const canRunSample = host.sampleTask !== null && host.teams.length > 0;
  if (blocker !== null && !settledHere.includes(blocker.kind)) {
    return <BlockerView blocker={blocker} />;
  }
  if (host.hasNoModel && !canRunSample && blocker === null) {
    return <StartView />;
  }
  return (
    <>
      {blocker === null ? null : <BlockerView blocker={blocker} />}
      <ComposeView
        host={host}
        isBlocked={blocker !== null && blocker.kind !== 'failed-to-start'}
        prefill={store.prefill.value}
      />
    </>
  );
}
