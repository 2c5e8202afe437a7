import { basename } from 'node:path';
import type { SessionSummary } from '../app/app-contract';
import { counted, formatWhen } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { type ExitCode, exitCodes } from './exit-codes';
import type { RunsOptions } from './invocation';
import { language } from './language';
import { storageDirOf, withApp } from './open-app';
import { systemClock } from './system-clock';
import { tableLines, tableWidth } from './table';
import type { World } from './world';

const usual = 10;

/** Lists the sessions of all shells, that with the newest run first; they can be gone on with from any folder. */
export function sessionsCommand(options: RunsOptions, world: World): Promise<ExitCode> {
  const { output } = world;
  const storageDir = storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    const all = await app.listSessions();
    const shown = options.all ? all : all.slice(0, usual);
    if (options.json) {
      output.write(`${JSON.stringify(shown.map(toJson), null, 2)}\n`);
    } else if (all.length === 0) {
      output.write('No sessions found.\n');
    } else if (options.all) {
      output.write(`${shown.map(blockOf).join('\n\n')}\n`);
    } else {
      const more = all.length - shown.length;
      const rest = more > 0 ? ['', `${more} older sessions; --all lists them.`] : [];
      const width = tableWidth(output, 160);
      const lines = tableLines(['Session', 'Started', 'Status', 'Model'], shown.map(rowOf), width);
      output.write(`${[...lines, ...rest].join('\n')}\n`);
    }
    return exitCodes.done;
  });
}

const shells = { vscode: 'VS Code', cli: 'the command line', api: 'a program' } as const;

function statusOf({ isActive, endedAt, dataPath }: SessionSummary): string {
  // A session that nobody plays and that nobody ended was cut off.
  return isActive ? 'active' : endedAt === null && dataPath !== null ? 'cut off' : 'completed';
}

function rowOf(session: SessionSummary): readonly string[] {
  return [
    session.sessionId,
    session.startedAt === 0 ? '' : formatWhen(session.startedAt, systemClock.now(), language),
    statusOf(session),
    revealOnOneLine(session.model ?? '').slice(0, 60),
  ];
}

function blockOf(session: SessionSummary): string {
  const { sessionId, startedAt, model, description, configPath, origin, runs, dataPath } = session;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Status', statusOf(session)],
    ['Started', startedAt === 0 ? null : new Date(startedAt).toISOString()],
    ['Model', model],
    ['Description', description],
    ['Config', configPath === null ? null : basename(configPath)],
    ['Begun in', origin === null ? 'another program' : shells[origin]],
    ['Runs', dataPath === null ? null : counted(runs.length, 'run', 'runs')],
    ['Kept in', dataPath],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`  ${name}: ${revealOnOneLine(value)}`],
  );
  return [sessionId, ...lines].join('\n');
}

function toJson(session: SessionSummary): unknown {
  const time = (ms: number | null): string | null =>
    ms === null || ms === 0 ? null : new Date(ms).toISOString();
  return {
    session_id: session.sessionId,
    start_time: time(session.startedAt),
    end_time: time(session.endedAt),
    status: statusOf(session),
    config_path: session.configPath,
    model: session.model,
    description: session.description,
    log_directory: session.logDirectory,
    data_path: session.dataPath,
    origin: session.origin,
    runs: session.runs.map(({ runId }) => runId),
  };
}
