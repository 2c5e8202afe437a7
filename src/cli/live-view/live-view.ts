import type { AppParts, RunHandle } from '../../app/app-contract';
import { DisposableStore, toDisposable } from '../../base/disposable';
import type { RunState } from '../../run/state';
import { type Keyboard, styled, type Terminal } from '../terminal';
import { settling } from './approval-box';
import { type Frame, frameOf } from './frame';
import { type Key, listenForKeys } from './keys';
import { Painter, type ScreenStream } from './painter';
import { restoring } from './restoring';
import type { Line } from './text-cells';
import { type Effect, firstView, press, type View } from './view';

export interface LiveSurroundings {
  /** Where it is drawn; with the styles of `terminal`. */
  readonly screen: ScreenStream;
  readonly terminal: Terminal;
  readonly keyboard: Keyboard;
  /** Standard error, which shares the screen. */
  readonly notes: Terminal;
  readonly clock: AppParts['clock'];
  /** Ctrl+C. */
  readonly onInterrupt: () => void;
}

/** Not drawn more often than this, ms; a person sees no more. */
const shortest = 100;
/** Times go on when nothing happens, ms. */
const longest = 1000;

/**
 * Shows a run on the whole screen until it is over (`ended`) or the user goes on without it (`left`), and then gives the
 * terminal back, also when the process ends meanwhile.
 */
export async function watchLive(
  handle: RunHandle,
  surroundings: LiveSurroundings,
): Promise<'ended' | 'left'> {
  const view = new LiveView(handle, surroundings);
  try {
    return await Promise.race([handle.ended.then(() => 'ended' as const), view.left]);
  } finally {
    view.dispose();
  }
}

class LiveView {
  /** Settles when the user wants to go on without the view. */
  readonly left: Promise<'left'>;
  readonly #handle: RunHandle;
  readonly #on: LiveSurroundings;
  readonly #painter: Painter;
  readonly #owned = new DisposableStore();
  #resume = new DisposableStore();
  #leave: () => void = () => undefined;
  #view: View = firstView;
  #frame: Frame | undefined;
  #paintedAt = 0;
  #next = toDisposable(() => undefined);
  #nextAt = Infinity;
  #approvalSince = { id: '', at: 0 };

  constructor(handle: RunHandle, surroundings: LiveSurroundings) {
    this.#handle = handle;
    this.#on = surroundings;
    this.#painter = new Painter(surroundings.screen);
    this.left = new Promise((resolve) => {
      this.#leave = () => resolve('left');
    });
    const { notes, screen } = surroundings;
    const held = this.#owned.add(notes.hold?.() ?? toDisposable(() => undefined));
    this.#owned.add(
      restoring(() => {
        this.#suspend();
        held.dispose();
      }),
    );
    this.#owned.add(handle.onEvents(() => this.#paintSoon()));
    const resized = (): void => {
      this.#painter.forget();
      this.#paint();
    };
    screen.on('resize', resized);
    this.#owned.add(toDisposable(() => screen.off('resize', resized)));
    this.#owned.add(toDisposable(() => this.#next.dispose()));
    this.#begin();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #begin(): void {
    this.#resume = new DisposableStore();
    this.#painter.enter();
    this.#resume.add(toDisposable(() => this.#painter.leave()));
    this.#resume.add(listenForKeys(this.#on.keyboard, (key) => this.#press(key)));
    this.#paint();
  }

  #suspend(): void {
    this.#resume.dispose();
  }

  #paintSoon(): void {
    this.#paintAt(Math.max(this.#on.clock.now(), this.#paintedAt + shortest));
  }

  #paintAt(at: number): void {
    if (at < this.#nextAt && !this.#owned.isDisposed) {
      this.#next.dispose();
      this.#nextAt = at;
      this.#next = this.#on.clock.after(at - this.#on.clock.now(), () => this.#paint());
    }
  }

  #paint(): void {
    const { clock, screen, terminal } = this.#on;
    const now = clock.now();
    const state = this.#handle.state();
    this.#noteApproval(state, now);
    const subject = { state, artifactsDir: this.#handle.artifactsDir };
    const size = { width: screen.columns, height: screen.rows, now };
    this.#frame = frameOf(subject, this.#view, size);
    this.#view = { ...this.#view, readApproval: this.#frame.readApproval };
    this.#painter.paint(this.#frame.lines.map((line) => drawn(line, terminal)));
    this.#paintedAt = now;
    this.#nextAt = Infinity;
    this.#paintAt(now + longest);
  }

  #noteApproval({ approvals }: RunState, now: number): void {
    const id = approvals[0]?.approvalId ?? '';
    if (id !== this.#approvalSince.id) {
      this.#approvalSince = { id, at: now };
    }
  }

  #press(key: Key): void {
    const { view, effect } = press(this.#view, key, {
      state: this.#handle.state(),
      lines: this.#frame?.pageLines ?? 0,
      rows: this.#frame?.pageRows ?? 0,
      isApprovalSettled: this.#on.clock.now() - this.#approvalSince.at >= settling,
    });
    this.#view = view;
    if (effect !== undefined) {
      this.#perform(effect);
    }
    this.#paint();
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'interrupt':
        this.#on.onInterrupt();
        break;
      case 'stop':
        this.#handle.stop();
        break;
      case 'leave':
        this.#leave();
        break;
      case 'suspend':
        this.#sleep();
        break;
      case 'decide': {
        const { approval, decision } = effect;
        this.#handle.resolveApproval(approval.approvalId, approval.hash, decision);
        break;
      }
      case 'choose':
        this.#handle.override(effect.label);
        break;
    }
  }

  /** The shell has the terminal until it brings the process back to the front. */
  #sleep(): void {
    if (process.platform !== 'win32') {
      const { stream } = this.#on.keyboard;
      this.#suspend();
      stream.setRawMode(false);
      process.once('SIGCONT', () => {
        if (!this.#owned.isDisposed) {
          stream.setRawMode(true);
          this.#begin();
        }
      });
      process.kill(process.pid, 'SIGTSTP');
    }
  }
}

function drawn(line: Line, terminal: Terminal): string {
  return line
    .map(({ text, style }) => (style === undefined ? text : styled(text, style, terminal)))
    .join('');
}
