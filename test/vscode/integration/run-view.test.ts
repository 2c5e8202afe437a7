import * as assert from 'node:assert/strict';
import { setup, suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/emitter';
import { RunView, type ShownRuns } from '../../../src/extension/views/run-view';
import type { HostState } from '../../../src/protocol/webview';
import type { RunState } from '../../../src/run/state';
import { wonChecked } from '../../webview/fixtures/checked-runs';
import { hostWithRun } from '../../webview/fixtures/hosts';

type News = Parameters<Parameters<ShownRuns['onNews']>[0]>[0];

/** The editor's side of a webview, with what was sent to its page. */
class Page implements vscode.WebviewView {
  readonly sent: unknown[] = [];
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly #nothing = new vscode.EventEmitter<void>();
  readonly viewType = 'massgen.run';
  readonly visible = true;
  readonly onDidChangeVisibility = this.#nothing.event;
  readonly onDidDispose = this.#nothing.event;
  readonly webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'https://page.invalid',
    onDidReceiveMessage: this.#messages.event,
    asWebviewUri: (uri) => uri,
    postMessage: async (message: unknown) => {
      this.sent.push(message);
      return true;
    },
  };

  say(message: unknown): void {
    this.#messages.fire(message);
  }

  show(): void {
    // It is always shown.
  }
}

suite('the panel', () => {
  const hosts = new Emitter<HostState>();
  const news = new Emitter<News>();
  let runs: { -readonly [K in keyof ShownRuns]: ShownRuns[K] };
  let view: RunView;
  let page: Page;

  setup(async () => {
    runs = { shown: undefined, onNews: (listener) => news.on(listener) };
    view = new RunView({
      extensionUri: vscode.Uri.file('/extension'),
      host: { onDidChange: (listener) => hosts.on(listener), read: async () => hostWithRun() },
      runs,
      logger: { trace: none, debug: none, info: none, warn: none, error: none },
      onMessage: none,
      onReady: none,
    });
    page = new Page();
    view.attach(page);
    page.say({ type: 'ready', protocolVersion: 1 });
    await vscode.workspace.fs.stat(vscode.Uri.file('/'));
    page.sent.length = 0;
  });
  teardown(() => {
    view.dispose();
  });

  test('shows the run that goes on under the id of the one that was cut off, also when it is over already', () => {
    const won = wonChecked().state();
    const cutOff: RunState = { ...won, outcome: 'interrupted' };
    runs.shown = { runId: won.runId, state: () => cutOff };
    hosts.fire(hostWithRun({ shownRunId: won.runId }));
    assert.deepEqual(outcomes(), ['interrupted']);

    // All its events came before anybody in the window could listen to them.
    runs.shown = { runId: won.runId, state: () => won };
    hosts.fire(hostWithRun({ shownRunId: won.runId }));
    assert.deepEqual(outcomes(), ['interrupted', won.outcome]);
  });

  test('gets a run once as long as nothing else is shown', () => {
    const won = wonChecked().state();
    runs.shown = { runId: won.runId, state: () => won };
    hosts.fire(hostWithRun({ shownRunId: won.runId }));
    hosts.fire(hostWithRun({ shownRunId: won.runId }));
    assert.deepEqual(outcomes(), [won.outcome]);
  });

  function outcomes(): readonly unknown[] {
    return page.sent.filter(isSnapshot).map(({ state }) => state.outcome);
  }
});

function isSnapshot(message: unknown): message is { readonly state: RunState } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'snapshot'
  );
}

const none = (): void => undefined;
