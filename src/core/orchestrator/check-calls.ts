import { linkAbort, type LinkedAbort } from '../../base/abort';
import type { Label, SnapshotId } from '../../base/ids';
import type { CheckReport, CheckResult, CheckSubject } from '../../run/check-facts';
import type { ObservedEvent } from '../../run/events';
import type { RunState } from '../../run/state';
import { reportNotRun } from '../coordination/checks';
import type { Effect } from '../coordination/effects';
import type { Input } from '../coordination/inputs';
import { isCancelled, MassGenError } from '../errors';
import type { CheckRunner } from '../ports/checks';
import type { Logger } from '../ports/logger';

export type CheckEffect = Extract<Effect, { readonly kind: 'run-checks' }>;

type Checked = Extract<Input, { readonly kind: 'checked' }>;

export interface CheckCallsParts {
  /** Absent: nothing can be run here, and nobody is kept out because of that. */
  readonly runner: CheckRunner | undefined;
  readonly state: () => RunState;
  readonly observe: (event: ObservedEvent) => void;
  readonly say: (word: Checked) => void;
  readonly logger: Logger;
}

/**
 * The checks that the engine asked for. Each ends in exactly one word to the engine, also when it cannot be run, unless
 * it is aborted. The runner belongs to whoever made it and stays open.
 */
export class CheckCalls {
  readonly #parts: CheckCallsParts;
  readonly #all = new AbortController();
  readonly #running = new Map<string, LinkedAbort>();
  readonly #promises = new Set<Promise<void>>();
  readonly #held = new Map<string, CheckEffect>();
  #isHeld = false;

  constructor(parts: CheckCallsParts) {
    this.#parts = parts;
  }

  start(effect: CheckEffect): void {
    const key = keyOf(effect.subject);
    if (this.#isHeld) {
      this.#held.set(key, effect);
      return;
    }
    const abort = linkAbort(this.#all.signal);
    this.#running.set(key, abort);
    const running = this.#check(effect, abort.signal).finally(() => {
      abort.dispose();
      this.#promises.delete(running);
      if (this.#running.get(key) === abort) {
        this.#running.delete(key);
      }
    });
    this.#promises.add(running);
  }

  abort(label: Label): void {
    const key = keyOf({ kind: 'answer', label });
    this.#held.delete(key);
    const reason = new MassGenError('cancelled/superseded', 'A newer answer came in.');
    this.#running.get(key)?.abort(reason);
  }

  /** Until `run`, checks are only remembered. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Remembered checks have ended. */
  answered({ subject }: Checked): void {
    this.#held.delete(keyOf(subject));
  }

  /** Runs what was remembered. */
  run(): void {
    this.#isHeld = false;
    const held = [...this.#held.values()];
    this.#held.clear();
    held.forEach((effect) => this.start(effect));
  }

  abortAll(reason: MassGenError): void {
    this.#all.abort(reason);
  }

  /** Resolves when no check runs any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#promises);
  }

  /** Never rejects. */
  async #check({ subject, snapshotId }: CheckEffect, signal: AbortSignal): Promise<void> {
    const { state, observe, say, logger } = this.#parts;
    // What is asked for in a decision is begun when that decision has been carried out.
    await Promise.resolve();
    const isOver = (): boolean => signal.aborted;
    if (isOver()) {
      return;
    }
    const names = (state().settings.checks ?? []).map(({ name }) => name);
    observe({ type: 'checks-started', subject, names });
    const report = await this.#report(subject, snapshotId, signal).catch((error: unknown) => {
      if (!isCancelled(error)) {
        logger.error('orchestrator', 'checks could not be run', error);
      }
      return this.#notRun('The checks could not be run.');
    });
    if (!isOver()) {
      say({ kind: 'checked', subject, report });
    }
  }

  async #report(
    subject: CheckSubject,
    snapshotId: SnapshotId | null,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    const { runner, observe } = this.#parts;
    const onEnded = (result: CheckResult): void => {
      if (!signal.aborted) {
        observe({ type: 'check-ended', subject, result });
      }
    };
    if (runner === undefined) {
      return this.#notRun('Nothing can be run here.');
    }
    if (subject.kind !== 'baseline' && snapshotId === null) {
      return this.#notRun('The files of this answer were not kept.');
    }
    return snapshotId === null
      ? runner.baseline(onEnded, signal)
      : runner.candidate(snapshotId, onEnded, signal);
  }

  #notRun(why: string): CheckReport {
    return reportNotRun(this.#parts.state(), why);
  }
}

function keyOf(subject: CheckSubject): string {
  switch (subject.kind) {
    case 'baseline':
      return subject.kind;
    case 'answer':
      return subject.label;
    case 'mix':
      return `mix ${subject.snapshotId}`;
  }
}
