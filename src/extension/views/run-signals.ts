// What tells about runs outside the panel: status bar, badge, notifications, contexts of the commands.
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { clip } from '../../base/text';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import type { ApprovalState } from '../../run/state';
import { type RunNews, type WindowRuns, markOf } from '../runs/window-runs';
import type { RunView } from './run-view';

export class RunSignals implements Disposable {
  readonly #runs: WindowRuns;
  readonly #view: RunView;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  /** Approvals that a message has told of already. */
  readonly #told = new Set<string>();

  constructor(runs: WindowRuns, view: RunView) {
    this.#runs = runs;
    this.#view = view;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('massgen.runs', vscode.StatusBarAlignment.Left, 10),
    );
    this.#item.name = vscode.l10n.t('MassGen Runs');
    this.#store.add(
      runs.onDidChange(() => {
        this.#update();
        this.#askHidden();
      }),
    );
    this.#store.add(view.onDidChangeVisibility(() => this.#askHidden()));
    this.#store.add(runs.onNews((news) => this.#onNews(news)));
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #onNews({ run, events }: RunNews): void {
    let isTold = false;
    for (const { event } of events) {
      if (event.type === 'approval-requested') {
        isTold = true;
        this.#askHidden();
      } else if (event.type === 'run-ended') {
        isTold = true;
        if (!this.#view.isVisible && event.outcome !== 'cancelled') void this.#tellEnd(run);
      } else if (event.type === 'approval-resolved' || event.type === 'run-started') {
        isTold = true;
      }
    }
    if (isTold) {
      this.#update();
    }
  }

  /** Tells of each command that waits where its card cannot be seen, also when it could be at first. */
  #askHidden(): void {
    for (const run of this.#runs.live) {
      const isSeen = this.#view.isVisible && this.#runs.shownId === run.runId;
      for (const approval of isSeen ? [] : run.state().approvals) {
        const key = `${run.runId} ${approval.approvalId}`;
        if (!this.#told.has(key)) {
          this.#told.add(key);
          void this.#ask(run, approval);
        }
      }
    }
  }

  #update(): void {
    const live = this.#runs.live;
    const waiting = live.reduce((sum, run) => sum + run.state().approvals.length, 0);
    setContext('massgen.hasActiveRun', live.length > 0);
    setContext('massgen.hasRun', this.#runs.all.length > 0);
    this.#view.setBadge(
      waiting,
      waiting === 1
        ? vscode.l10n.t('1 command waits for you')
        : vscode.l10n.t('{0} commands wait for you', waiting),
    );
    if (live.length === 0) {
      this.#item.hide();
      return;
    }
    this.#item.text =
      waiting > 0
        ? `$(shield) ${vscode.l10n.t('MassGen needs you')}`
        : `$(sync~spin) ${vscode.l10n.t('MassGen: {0}', live.length)}`;
    // The run that waits comes first: its card is what the click is for.
    const wanted = live.find((run) => markOf(run) === 'needs-you') ?? live[0];
    this.#item.command = {
      command: 'massgen.showRun',
      title: vscode.l10n.t('Open Run'),
      arguments: [wanted?.runId],
    };
    this.#item.tooltip = live.map((run) => clip(run.state().task, 120)).join('\n');
    this.#item.show();
  }

  /** Only while the card in the panel cannot be seen. Closing the message decides nothing. */
  async #ask(run: RunHandle, event: ApprovalState): Promise<void> {
    const deny = vscode.l10n.t('Deny');
    const show = vscode.l10n.t('Show');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        event.isRequest === true
          ? 'Agent {0} wants to reach out of this machine: {1}'
          : event.isTool === true
            ? 'Agent {0} wants to use a tool: {1}'
            : event.isProgram === true
              ? 'Agent {0} wants to start its program without confinement: {1}'
              : 'Agent {0} wants to run a command: {1}',
        event.slot,
        clip(revealOnOneLine(event.command), 200),
      ),
      deny,
      show,
    );
    if (choice === deny) {
      run.resolveApproval(event.approvalId, event.hash, 'deny');
    } else if (choice === show) {
      this.#runs.show(run.runId);
      await this.#view.reveal();
    }
  }

  async #tellEnd(run: RunHandle): Promise<void> {
    const { selection, task } = run.state();
    const show = vscode.l10n.t('Show');
    const name = clip(task.replace(/\s+/g, ' '), 60);
    const winner = selection?.winner?.label;
    const text =
      winner === undefined
        ? vscode.l10n.t('The run "{0}" has ended.', name)
        : vscode.l10n.t('{0} won the run "{1}".', winner, name);
    if ((await vscode.window.showInformationMessage(text, show)) === show) {
      this.#runs.show(run.runId);
      await this.#view.reveal();
    }
  }
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
