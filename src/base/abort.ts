import { toError } from './assert';
import { type Disposable, toDisposable } from './disposable';

/** A controller whose signal follows `parent`; `dispose` removes the listener that ties them. */
export interface LinkedAbort extends Disposable {
  readonly signal: AbortSignal;
  /** Aborts this branch only. `reason` should be an error of the `cancelled/*` family. The first reason stays. */
  abort(reason: unknown): void;
}

/** Starts a branch of the cancellation tree. Dispose it when the work of the branch has ended, else the parent keeps it alive. */
export function linkAbort(parent: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const follow = (): void => {
    controller.abort(parent.reason);
  };
  if (parent.aborted) {
    follow();
  } else {
    parent.addEventListener('abort', follow, { once: true });
  }
  const tie = toDisposable(() => {
    parent.removeEventListener('abort', follow);
  });
  return {
    signal: controller.signal,
    abort(reason: unknown): void {
      controller.abort(reason);
    },
    dispose(): void {
      tie.dispose();
    },
  };
}

/** Calls `listener` once with the reason, at once when the signal has already aborted. */
export function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): Disposable {
  if (signal.aborted) {
    listener(signal.reason);
    return toDisposable(() => undefined);
  }
  const call = (): void => {
    listener(signal.reason);
  };
  signal.addEventListener('abort', call, { once: true });
  return toDisposable(() => {
    signal.removeEventListener('abort', call);
  });
}

/** Settles like `work`, or rejects with the reason of the signal as soon as it aborts; the work itself is not stopped. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let listening: Disposable | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        listening = onAbort(signal, (reason) => {
          reject(toError(reason));
        });
      }),
    ]);
  } finally {
    listening?.dispose();
  }
}
