// Which run a task goes on from, when one was asked for.
import { resolve } from 'node:path';
import type { App, SessionSummary } from '../app/app-contract';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { UsageError } from './failure';
import type { CliOptions } from './invocation';
import type { Plan } from './plan';
import type { World } from './world';

interface Setting {
  readonly options: Pick<CliOptions, 'follows' | 'project'>;
  readonly world: World;
}

const hint = 'massgen --list-sessions lists them; --session-id ID goes on from one.';

/**
 * The plan with the run or the session that its task goes on from: what the line names goes before what the team file
 * says. Throws `UsageError` when there is none.
 */
export async function following(app: App, plan: Plan, setting: Setting): Promise<Plan> {
  const { follows } = setting.options;
  const { sessionId } = plan.request.config;
  if (follows === undefined) {
    return sessionId === undefined ? plan : { ...plan, request: { ...plan.request, sessionId } };
  }
  const runId =
    follows === 'folder'
      ? await newestRun(app, plan, setting)
      : await newestOf(app, follows.session);
  return { ...plan, request: { ...plan.request, follows: runId } };
}

/** The newest run about these folders; else the newest one of all, and the user is told what it was about. */
async function newestRun(app: App, plan: Plan, { options, world }: Setting): Promise<string> {
  const folder = resolve(world.cwd, options.project ?? '.');
  for (const each of [folder, ...plan.request.folders.map(({ path }) => path)]) {
    const found = await app.runToContinue({ folder: each });
    if (found !== undefined) {
      return found;
    }
  }
  const newest = await app.runToContinue('newest');
  if (newest === undefined) {
    throw new UsageError('No session has an answer yet.', hint);
  }
  const state = (await app.openRun(newest)).state();
  const task = revealOnOneLine(state.task).slice(0, 80);
  world.notes.write(`No session is about ${folder}; going on with the newest one: ${task}\n`);
  return newest;
}

async function newestOf(app: App, written: string): Promise<string> {
  const sessions = await app.listSessions();
  const listed = await sessionIn(app, sessions, written);
  const runId = listed === undefined ? undefined : await app.runToContinue({ sessionId: listed });
  if (runId !== undefined) {
    return runId;
  }
  const isForeign = sessions.some(
    ({ sessionId, dataPath }) => sessionId === written && dataPath === null,
  );
  throw new UsageError(
    isForeign
      ? `The session ${written} was written by another program, and its turns are not kept where they can be read.`
      : `There is no session ${written}.`,
    hint,
  );
}

/** An id of a session, of any run of it, or the beginning of one. */
async function sessionIn(
  app: App,
  sessions: readonly SessionSummary[],
  written: string,
): Promise<string | undefined> {
  const runs = [...(await app.listRuns()), ...sessions.flatMap((one) => one.runs)];
  const named = runs.map(({ runId, sessionId }) => ({ runId, sessionId: sessionId ?? runId }));
  const exact = named.find(({ runId, sessionId }) => runId === written || sessionId === written);
  if (exact !== undefined) {
    return exact.sessionId;
  }
  const ids = new Set(
    named.flatMap(({ runId, sessionId }) =>
      runId.startsWith(written) || sessionId.startsWith(written) ? [sessionId] : [],
    ),
  );
  if (ids.size > 1) {
    throw new UsageError(
      `${written} is the beginning of ${ids.size} sessions: ${[...ids].slice(0, 3).join(', ')}.`,
      'Write more of the id.',
    );
  }
  return [...ids][0];
}
