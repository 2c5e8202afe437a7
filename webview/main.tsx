// Entry of the page: connects to the host, then draws the store's state on each frame.
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { webviewProtocolVersion } from '../src/protocol/webview';
import { createFrames } from './frames';
import { createMemory } from './memory';
import type { Memory } from './memory';
import { parseMessage } from './message-guard';
import { Panel } from './panel';
import { createStore } from './store';
import type { Store } from './store';
import { connectToHost } from './vscode-api';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/compose.css';
import './styles/run.css';
import './styles/details.css';
import './styles/timeline.css';
import './styles/result.css';
import './styles/checks.css';
import './styles/session.css';
import './styles/replay.css';
import './styles/widths.css';

const second = 1000;

/** Where the reader is gets saved this long after the last scroll, ms. */
const saveDelayMs = 200;

function start(): void {
  const api = connectToHost();
  const memory = createMemory(api);
  const store = createStore({
    post: (message) => api.postMessage(message),
    onNextFrame: createFrames(window),
    now: () => Date.now(),
  });
  const now = signal(Date.now());
  const tick = (): void => {
    now.value = Date.now() - store.clockOffset.value;
  };
  window.setInterval(() => {
    if (store.run.value?.outcome === null) {
      tick();
    }
  }, second);
  // A new run or a corrected clock shows at once, not a second later.
  effect(() => {
    if (store.run.value !== null) {
      tick();
    }
  });

  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = parseMessage(event.data);
    if (message !== undefined) {
      store.receive(message);
    }
  });

  const root = document.createElement('div');
  root.className = 'root';
  document.body.append(root);
  render(
    <Panel store={store} post={(message) => api.postMessage(message)} memory={memory} now={now} />,
    root,
  );
  whenDrawn(store, () => {
    document.body.dataset['ready'] = 'true';
    keepScroll(memory);
  });
  api.postMessage({ type: 'ready', protocolVersion: webviewProtocolVersion });
}

/** Calls back once, after what the host wants to show was drawn for the first time. */
function whenDrawn(store: Store, callback: () => void): void {
  const stop = effect(() => {
    const shown = store.host.value?.shownRunId;
    const drawn = [store.run.value?.runId, store.replay.value?.runId];
    if (shown === null || (shown !== undefined && drawn.includes(shown))) {
      // Drawing follows the change of the signals within the same task.
      queueMicrotask(() => {
        stop();
        window.requestAnimationFrame(callback);
      });
    }
  });
}

/** After a reload the reader is where they were. */
function keepScroll(memory: Memory): void {
  window.scrollTo(0, memory.value.scrollTop);
  let timer: number | undefined;
  window.addEventListener('scroll', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => memory.remember({ scrollTop: window.scrollY }), saveDelayMs);
  });
}

start();
