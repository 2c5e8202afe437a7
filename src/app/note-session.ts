import { dirname } from 'node:path';
import type { RunConfig } from '../config/run-config';
import type { RunState } from '../run/state';
import type { Services } from './services';
import { sessionIdOf } from './sessions';

/** Before anything is asked: a run that is cut off right away can be found, too. `dir`: of its readable files, or empty. */
export async function noteSession(
  { book, storageDir }: Pick<Services, 'book' | 'storageDir'>,
  run: { readonly state: RunState; readonly config: RunConfig; readonly dir: string },
  signal: AbortSignal,
): Promise<void> {
  const { state, config, dir } = run;
  const beginning = {
    ...{ sessionId: sessionIdOf(state), task: state.task, config, dataPath: storageDir },
    logDirectory: dir === '' ? null : dirname(dir),
  };
  await book?.begin(beginning, signal);
}
