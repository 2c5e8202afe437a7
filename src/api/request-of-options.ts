import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { App, ContextFolder, RunConfig, StartRunRequest } from '../app/app-contract';
import { withChecks } from '../cli/choose-checks';
import { named } from '../cli/context-folders';
import { RunError, type RunOptions } from './contract';
import { policyOf } from './commands';

export interface RequestPlace {
  readonly app: App;
  readonly task: string;
  readonly config: RunConfig;
  /** Absolute. */
  readonly cwd: string;
}

/** What is asked of the product. Throws `RunError`; nothing was sent anywhere then. */
export async function requestOfOptions(
  options: RunOptions,
  { app, task, config, cwd }: RequestPlace,
  signal: AbortSignal,
): Promise<StartRunRequest> {
  if (task.trim() === '') {
    throw new RunError({ code: 'config/invalid', message: 'The task is empty.' });
  }
  const folders = foldersOf(options, config, cwd);
  const found = await app.proposeChecks(folders, signal);
  const checked = withChecks(config, options.checks, found).config;
  const follows = await runToFollow(options, app, cwd);
  return {
    task,
    config: { ...checked, caps: { ...checked.caps, ...limitsOf(options) } },
    folders,
    unsaved: new Map(),
    commandPolicy: policyOf(options.commandPolicy),
    ...(follows === undefined ? ownSession(options, config) : { follows }),
  };
}

/** What the team file says counts where the caller says nothing. */
function ownSession(
  { enableLogging }: RunOptions,
  { sessionId }: RunConfig,
): Pick<StartRunRequest, 'sessionId'> {
  return sessionId === undefined || enableLogging === false ? {} : { sessionId };
}

/** Those of the team first; a path that is given again is taken with the permission of the caller. */
function foldersOf(
  options: RunOptions,
  { contextPaths }: RunConfig,
  cwd: string,
): readonly ContextFolder[] {
  const own = (options.contextPaths ?? []).map((each) =>
    typeof each === 'string' ? { path: each } : each,
  );
  const byPath = new Map<string, Omit<ContextFolder, 'name'>>();
  for (const { path, permission = 'write', protectedPaths = [] } of [...contextPaths, ...own]) {
    const absolute = resolve(cwd, path);
    byPath.set(absolute, { path: absolute, permission, protectedPaths });
  }
  return named([...byPath.values()]);
}

function limitsOf({ limits = {} }: RunOptions): Partial<RunConfig['caps']> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

async function runToFollow(
  { session, continue: isContinued, enableLogging }: RunOptions,
  app: App,
  cwd: string,
): Promise<string | undefined> {
  if (session === undefined && isContinued !== true) {
    return undefined;
  }
  if (session !== undefined && isContinued === true) {
    throw new RunError({ code: 'config/invalid', message: 'Give either session or continue.' });
  }
  if (enableLogging === false) {
    const message = 'A session can only go on where runs are kept.';
    throw new RunError({ code: 'config/invalid', message });
  }
  const found =
    session === undefined
      ? await app.runToContinue({ folder: cwd })
      : await app.runToContinue({ sessionId: await sessionIdOf(app, session) });
  if (found === undefined) {
    const message =
      session === undefined
        ? `No session about ${cwd} can go on.`
        : `There is no session ${session}.`;
    throw new RunError({ code: 'config/invalid', message });
  }
  return found;
}

/** The id of a session, or of any run of it, also of another shell. */
async function sessionIdOf(app: App, written: string): Promise<string> {
  const sessions = await app.listSessions();
  const runs = [...(await app.listRuns()), ...sessions.flatMap((session) => session.runs)];
  return runs.find(({ runId }) => runId === written)?.sessionId ?? written;
}

/** Throws `RunError` when it is not there. */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new RunError({ code: 'config/invalid', message: `There is no folder ${path}.` });
  }
}
