import { type Disposable, toDisposable } from '../../base/disposable';

/**
 * `restore` gives the terminal back. It runs once: when it is disposed, when the process ends in any way that it can
 * notice, and before an error that nobody caught is printed.
 */
export function restoring(restore: () => void): Disposable {
  const end = (): void => {
    given.dispose();
  };
  const given = toDisposable(() => {
    process.off('exit', end);
    process.off('uncaughtExceptionMonitor', end);
    restore();
  });
  process.on('exit', end);
  process.on('uncaughtExceptionMonitor', end);
  return given;
}
