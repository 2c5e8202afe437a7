import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SessionExport } from '../app/app-contract';
import { counted } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { type ExitCode, exitCodes } from './exit-codes';
import { exportHtml } from './export-html';
import { exportSize, exportTurns } from './export-words';
import { UsageError } from './failure';
import { withRun } from './find-run';
import type { ExportOptions } from './invocation';
import { confirmOnce } from './confirm';
import type { World } from './world';

const usualLimit = 500_000;

/**
 * Writes the readable files of a session, with secrets and the user's home taken out, into a new folder or one HTML file
 * on this machine. Nothing is sent anywhere. What would go along is shown first.
 */
export function exportCommand(
  run: string | undefined,
  options: ExportOptions,
  world: World,
): Promise<ExitCode> {
  const turns = exportTurns(options.turns);
  const limit = options.noWorkspace ? 0 : (exportSize(options.workspaceLimit) ?? usualLimit);
  return withRun(run ?? 'latest', { options, world }, async ({ app, runId }) => {
    const request = { runId, turns, workspaceLimit: limit };
    const found = await app.planExport(request, world.interrupted);
    const target = targetOf(options.output ?? `massgen-export-${found.sessionId}`, world.cwd);
    const tell = (isWritten: boolean): void => {
      world.output.write(
        options.json
          ? `${JSON.stringify(toJson(found, target, isWritten), null, 2)}\n`
          : `${previewLines(found, target).join('\n')}\n`,
      );
    };
    if (options.dryRun) {
      tell(false);
      return exitCodes.done;
    }
    refuseToReplace(target);
    if (options.json) {
      await write(found, target);
      tell(true);
      return exitCodes.done;
    }
    tell(false);
    if (!options.yes && !(await confirmOnce(`Write this to ${target}?`, world))) {
      world.output.write('Nothing was written.\n');
      return exitCodes.done;
    }
    await write(found, target);
    world.output.write(`Written to ${target}. Nothing was sent anywhere.\n`);
    return exitCodes.done;
  });
}

function targetOf(written: string, cwd: string): string {
  const target = resolve(cwd, written);
  if (/\.(zip|tar|gz|tgz)$/i.test(target)) {
    throw new UsageError(
      'An export is a folder, or one file that ends in .html.',
      'Pack the folder with a program of your system.',
    );
  }
  return target;
}

function refuseToReplace(target: string): void {
  if (existsSync(target)) {
    throw new UsageError(`${target} is there already.`, 'Name another place with --output.');
  }
  if (!existsSync(dirname(target))) {
    throw new UsageError(`There is no folder ${dirname(target)}.`);
  }
}

/** Appears as a whole, or not at all. */
async function write(found: SessionExport, target: string): Promise<void> {
  const partial = `${target}.${process.pid}.partial`;
  try {
    if (/\.html?$/i.test(target)) {
      writeFileSync(partial, await htmlOf(found), { mode: 0o600 });
    } else {
      mkdirSync(partial, { mode: 0o700 });
      for (const file of found.files) {
        const path = join(partial, ...file.path.split('/'));
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, await file.read(), { mode: 0o600 });
      }
    }
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

async function htmlOf({ sessionId, turns, files, leftOut }: SessionExport): Promise<string> {
  const shown = await Promise.all(
    files.map(async ({ path, sizeBytes, isText, read }) => ({
      ...{ path, sizeBytes },
      text: isText ? new TextDecoder().decode(await read()) : undefined,
    })),
  );
  return exportHtml({ sessionId, turns, files: shown, leftOut });
}

function previewLines(
  { sessionId, turns, files, leftOut }: SessionExport,
  target: string,
): readonly string[] {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const redactions = files.reduce((sum, file) => sum + file.redactions, 0);
  return [
    `Session ${sessionId}, ${counted(turns.length, 'turn', 'turns')}`,
    ...files.map(({ path, sizeBytes, redactions: count }) => {
      const taken = count === 0 ? '' : `, ${counted(count, 'place', 'places')} taken out`;
      return `  ${revealOnOneLine(path)}  ${sizeBytes} bytes${taken}`;
    }),
    ...leftOut.map(({ path, reason }) => `  left out: ${revealOnOneLine(path)} (${reason})`),
    `${counted(files.length, 'file', 'files')}, ${bytes} bytes; secrets and paths of your home taken out at ${counted(redactions, 'place', 'places')}`,
    `Goes to ${target}; it stays on this machine.`,
  ];
}

function toJson(found: SessionExport, target: string, isWritten: boolean): unknown {
  return {
    session_id: found.sessionId,
    turns: found.turns.map(({ turn, runId }) => ({ turn, run_id: runId })),
    output: target,
    is_written: isWritten,
    files: found.files.map(({ path, sizeBytes, redactions }) => ({
      ...{ path, size_bytes: sizeBytes, redactions },
    })),
    left_out: found.leftOut,
  };
}
