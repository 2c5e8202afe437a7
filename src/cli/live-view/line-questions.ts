import type { AppParts, RunHandle } from '../../app/app-contract';
import { type Disposable, toDisposable } from '../../base/disposable';
import { selectRuleLine } from '../../run/selectors/rule';
import type { RunState } from '../../run/state';
import { language } from '../language';
import { type Keyboard, styled, type Terminal } from '../terminal';
import { approvalKeys, approvalLines, settling } from './approval-box';
import { type Key, listenForKeys } from './keys';
import { canChooseNow } from './view';

export interface Asked {
  readonly keyboard: Keyboard;
  readonly terminal: Terminal;
  readonly clock: Pick<AppParts['clock'], 'now'>;
  readonly onInterrupt: () => void;
}

/** What waits for the person in a run that is printed in lines: the question, and one key for the answer. */
export class LineQuestions implements Disposable {
  readonly #handle: RunHandle;
  readonly #asked: Asked;
  #open = '';
  #openSince = 0;
  #listening: Disposable = toDisposable(() => undefined);

  constructor(handle: RunHandle, asked: Asked) {
    this.#handle = handle;
    this.#asked = asked;
  }

  /** Asks what has not been asked yet; called after each change. */
  update(state: RunState): void {
    const [approval] = state.approvals;
    const id = approval?.approvalId ?? (canChooseNow(state) ? 'choice' : '');
    if (id === this.#open) {
      return;
    }
    this.#open = id;
    this.#openSince = this.#asked.clock.now();
    this.#listening.dispose();
    if (id !== '') {
      this.#print(state);
      this.#listening = listenForKeys(this.#asked.keyboard, (key) => this.#press(key));
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #print(state: RunState): void {
    const { terminal } = this.#asked;
    const [approval] = state.approvals;
    if (approval === undefined) {
      const rule = selectRuleLine(state, language);
      terminal.write(`${rule} Press the number of the agent whose answer you choose.\n`);
      return;
    }
    for (const line of approvalLines(approval, state, terminal.width)) {
      terminal.write(`${line.map(({ text }) => text).join('')}\n`);
    }
    terminal.write(`  ${styled(approvalKeys, 'yellow', terminal)}\n`);
  }

  #press(key: Key): void {
    const state = this.#handle.state();
    const [approval] = state.approvals;
    if (key === 'ctrl+c') {
      this.#asked.onInterrupt();
    } else if (this.#asked.clock.now() - this.#openSince < settling) {
      // It was on its way before the question could be read, e.g. typed for the shell while the run worked.
      return;
    } else if (approval !== undefined) {
      const decision = decisions[key];
      if (decision !== undefined) {
        this.#handle.resolveApproval(approval.approvalId, approval.hash, decision);
      }
    } else {
      const label = state.agents[Number(key) - 1]?.revisions.at(-1)?.label;
      if (label !== undefined) {
        this.#handle.override(label);
      }
    }
  }
}

const decisions: Readonly<Record<Key, 'allow-once' | 'allow-run' | 'deny'>> = {
  y: 'allow-once',
  a: 'allow-run',
  n: 'deny',
  return: 'deny',
};
