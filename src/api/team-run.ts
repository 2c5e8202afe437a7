import type { RunResult } from './contract';
import type { RunEvent } from './event-contract';
import type { TeamRun } from './run-contract';
import { EventFeed } from './event-feed';
import { stoppedByCaller, toRunError } from './run-error';

/** How a run is played: tells what happens, and stops once the signal is aborted. */
export type Play = (
  tell: (events: readonly RunEvent[]) => void,
  signal: AbortSignal,
) => Promise<RunResult>;

/**
 * Begins to play at once. `signal` belongs to the caller: when it is aborted the promise rejects, with what there is by
 * then; `stop()` lets it resolve.
 */
export function teamRun(play: Play, signal: AbortSignal | undefined): TeamRun {
  const feed = new EventFeed();
  const stopping = new AbortController();
  const result = playToEnd(play, { feed, stopping, signal });
  const iterate = (): AsyncIterator<RunEvent> => {
    // Whoever reads the events meets the error there; it shall not count as unhandled as well.
    result.catch(() => undefined);
    return feed[Symbol.asyncIterator]();
  };
  return Object.assign(result, {
    [Symbol.asyncIterator]: iterate,
    stop: () => stopping.abort(stoppedByCaller()),
  });
}

interface Course {
  readonly feed: EventFeed;
  readonly stopping: AbortController;
  readonly signal: AbortSignal | undefined;
}

async function playToEnd(play: Play, { feed, stopping, signal }: Course): Promise<RunResult> {
  try {
    signal?.throwIfAborted();
    const both = signal === undefined ? [stopping.signal] : [stopping.signal, signal];
    const result = await play((events) => feed.push(events), AbortSignal.any(both));
    refuseWhenAborted(result, signal);
    feed.close({});
    return result;
  } catch (error) {
    const failure = toRunError(error, signal);
    feed.close({ error: failure });
    throw failure;
  }
}

/** A run that had come to its end all the same is a result. */
function refuseWhenAborted(result: RunResult, signal: AbortSignal | undefined): void {
  if (signal?.aborted === true && result.outcome === 'cancelled') {
    throw stoppedByCaller(signal.reason, result);
  }
}
