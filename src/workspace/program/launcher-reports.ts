// What the launcher of a confined program tells of its start.
import { raceAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import { begunPath, failedPath } from './launcher-source';
import type { RunningProgram } from './running-program';

/** What came to the program's end of the proxy: it has begun, or why it could not. */
interface Report {
  readonly failure: string | undefined;
}

/** The first report of a launcher; whatever comes later may be from anybody in the sandbox. */
export class LauncherReports {
  #resolve: (report: Report) => void = () => undefined;
  readonly first = new Promise<Report>((resolve) => {
    this.#resolve = resolve;
  });

  take(path: string): void {
    if (path === begunPath) {
      this.#resolve({ failure: undefined });
    } else if (path.startsWith(failedPath)) {
      this.#resolve({ failure: path.slice(failedPath.length) });
    }
  }
}

export interface Beginning {
  readonly reports: LauncherReports;
  readonly why: (words: string) => Promise<MassGenError>;
}

/** Resolves when the program itself runs. Throws `tool/failed` when it does not, and `cancelled/*`; `why` is given the system's words. */
export async function hasBegun(
  program: RunningProgram,
  { reports, why }: Beginning,
  signal: AbortSignal,
): Promise<void> {
  const ended = program.exited().then(() => undefined);
  const report = await raceAbort(Promise.race([reports.first, ended]), signal);
  if (report === undefined) {
    const said = await lastWords(program);
    throw new MassGenError('tool/failed', `The program could not be confined: ${said}`);
  }
  if (report.failure !== undefined) {
    throw await why(decodeURIComponent(report.failure));
  }
}

async function lastWords(program: RunningProgram): Promise<string> {
  let said = '';
  program.onOutput('stderr', (bytes) => {
    said += Buffer.from(bytes).toString('utf8');
  });
  await program.ended;
  return said.trim().slice(0, 2000) || 'no reason given';
}
