import type { App } from '../app/app-contract';
import { formatWhen } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RunsOptions } from './invocation';
import { type ExitCode, exitCodes } from './exit-codes';
import { language } from './language';
import { storageDirOf, withApp } from './open-app';
import { systemClock } from './system-clock';
import { tableLines, tableWidth } from './table';
import type { World } from './world';

type Run = Awaited<ReturnType<App['listRuns']>>[number];

interface Session {
  readonly id: string;
  /** Newest first. */
  readonly runs: readonly Run[];
}

const usual = 10;

/** Lists the stored runs by session, newest first. */
export function runsCommand(options: RunsOptions, world: World): Promise<ExitCode> {
  const { output } = world;
  const storageDir = storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    const all = bySession(await app.listRuns());
    const shown = options.all ? all : all.slice(0, usual);
    if (options.json) {
      output.write(`${JSON.stringify(shown.map(toJson), null, 2)}\n`);
    } else if (all.length === 0) {
      output.write(`There are no runs in ${storageDir}.\n`);
    } else {
      const lines = tableLines(
        ['Run', 'Session', 'Turn', 'Started', 'Outcome', 'Task'],
        shown.flatMap(rowsOf),
        tableWidth(output, 160),
      );
      const more = all.length - shown.length;
      const rest = more > 0 ? [``, `${more} older sessions; --all lists them.`] : [];
      output.write(`${[...lines, ...rest].join('\n')}\n`);
    }
    return exitCodes.done;
  });
}

function bySession(newestFirst: readonly Run[]): readonly Session[] {
  const sessions = new Map<string, Run[]>();
  for (const run of newestFirst) {
    const id = run.sessionId ?? run.runId;
    sessions.set(id, [...(sessions.get(id) ?? []), run]);
  }
  return [...sessions].map(([id, runs]) => ({ id, runs }));
}

function rowsOf({ id, runs }: Session): readonly (readonly string[])[] {
  return runs.map((run) => [
    run.runId,
    id === run.runId ? '' : id,
    String(run.turn ?? 1),
    formatWhen(run.startedAt, systemClock.now(), language),
    run.isRunning ? 'running' : (run.outcome ?? 'cut off'),
    revealOnOneLine(run.task).slice(0, 200),
  ]);
}

function toJson({ id, runs }: Session): unknown {
  return {
    session_id: id,
    runs: runs.map((run) => ({
      run_id: run.runId,
      turn: run.turn ?? 1,
      started_at: new Date(run.startedAt).toISOString(),
      outcome: run.outcome,
      is_running: run.isRunning,
      winner: run.winner,
      folders: run.folders ?? [],
      task: run.task,
    })),
  };
}
