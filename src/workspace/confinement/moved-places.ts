import { isMassGenError } from '../../core/errors';

/** What the sandbox says of a place that was there when it was looked at, and is not when it is mounted on. */
const isGone = /bwrap: Can't (?:mkdir|create file|find source path)/;

const attempts = 4;

/**
 * Starts something confined, anew when a place has gone meanwhile: sockets of other programs are hidden one by one, and come
 * and go as those like. `start` looks at the places itself, and throws `tool/failed` when nothing of it has begun.
 */
export async function whilePlacesMove<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      const isAgain = isMassGenError(error, 'tool/failed') && isGone.test(error.message);
      if (!isAgain || attempt === attempts) {
        throw error;
      }
    }
  }
}
