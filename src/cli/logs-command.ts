import { resolve } from 'node:path';
import type { App } from '../app/app-contract';
import { formatWhen } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { type ExitCode, exitCodes } from './exit-codes';
import { UsageError } from './failure';
import type { LogsOptions } from './invocation';
import { language } from './language';
import { newestTurnIn, readLogFolder } from './log-folder';
import { summaryLines, summaryOf, toolLines, toolsOf } from './log-summary';
import { storageDirOf, withApp } from './open-app';
import { openPath } from './open-path';
import { systemClock } from './system-clock';
import { tableLines, tableWidth } from './table';
import type { World } from './world';

const usual = 10;

/** Shows what the readable files of a run say: of the newest one, or of the folder that was named. */
export function logsCommand(options: LogsOptions, world: World): Promise<ExitCode> {
  const storageDir = storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    if (options.what === 'list') {
      world.output.write(await listText(app, options, world));
      return exitCodes.done;
    }
    const dir = await turnDir(app, options, { world, storageDir });
    if (options.what === 'open') {
      world.output.write(`${dir}\n`);
      openPath(dir, world);
      return exitCodes.done;
    }
    const log = readLogFolder(dir);
    const isTools = options.what === 'tools';
    if (options.json) {
      const value = isTools ? toolsOf(log, options.sort) : summaryOf(log);
      world.output.write(`${JSON.stringify(value, null, 2)}\n`);
    } else {
      const { width } = world.output;
      const lines = isTools ? toolLines(log, options.sort, width) : summaryLines(log, width);
      world.output.write(`${lines.join('\n')}\n`);
    }
    return exitCodes.done;
  });
}

async function turnDir(
  app: App,
  { logDir }: LogsOptions,
  { world, storageDir }: { readonly world: World; readonly storageDir: string },
): Promise<string> {
  if (logDir !== undefined) {
    return newestTurnIn(resolve(world.cwd, logDir));
  }
  const [newest] = await app.listRuns();
  if (newest === undefined) {
    throw new UsageError(
      `There are no runs in ${storageDir}.`,
      'Are they kept elsewhere? --log-dir',
    );
  }
  return (await app.openRun(newest.runId)).artifactsDir;
}

async function listText(
  app: App,
  { json, limit = usual }: LogsOptions,
  { output }: World,
): Promise<string> {
  const all = await app.listRuns();
  const rows: { readonly dir: string; readonly run: (typeof all)[number] }[] = [];
  for (const run of all.slice(0, limit)) {
    const dir = await app.openRun(run.runId).then(
      ({ artifactsDir }) => artifactsDir,
      () => '',
    );
    rows.push({ dir, run });
  }
  if (json) {
    const values = rows.map(({ dir, run }) => ({
      run_id: run.runId,
      session_id: run.sessionId ?? run.runId,
      turn: run.turn ?? 1,
      started_at: new Date(run.startedAt).toISOString(),
      outcome: run.outcome,
      winner: run.winner,
      question: run.task,
      log_dir: dir === '' ? null : dir,
    }));
    return `${JSON.stringify(values, null, 2)}\n`;
  }
  if (rows.length === 0) {
    return 'There are no logs.\n';
  }
  const lines = tableLines(
    ['Started', 'Outcome', 'Turn', 'Task', 'Folder'],
    rows.map(({ dir, run }) => [
      formatWhen(run.startedAt, systemClock.now(), language),
      run.isRunning ? 'running' : (run.outcome ?? 'cut off'),
      String(run.turn ?? 1),
      revealOnOneLine(run.task).slice(0, 50),
      dir,
    ]),
    tableWidth(output, Number.MAX_SAFE_INTEGER),
    { keepsWords: true },
  );
  const more = all.length - rows.length;
  const rest = more > 0 ? ['', `${more} older runs; --limit N lists more.`] : [];
  return `${[...lines, ...rest].join('\n')}\n`;
}
