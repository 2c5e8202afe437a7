import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ShownRecord } from '../app/app-contract';
import type { HostState } from '../protocol/webview';
import { counted } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { type ExitCode, exitCodes } from './exit-codes';
import { UsageError } from './failure';
import { withRun } from './find-run';
import type { ViewerOptions } from './invocation';
import { openPath } from './open-path';
import { systemClock } from './system-clock';
import { viewerHtml, type ViewerParts } from './viewer-html';
import type { World } from './world';

/** Characters of events in one file: browsers open it in moments, and it still fits into a mail. */
const usualLimit = 20_000_000;

/** Writes one HTML file in which a run can be looked at step by step, without this program and without a network. */
export function viewerCommand(
  run: string | undefined,
  options: ViewerOptions,
  world: World,
): Promise<ExitCode> {
  return withRun(run ?? 'latest', { options, world }, async ({ app, runId }) => {
    const target = resolve(world.cwd, options.output ?? `massgen-${fileName(runId)}.html`);
    refuseToReplace(target, options.force);
    const record = await app.recordToShow({ runId, limit: usualLimit }, world.interrupted);
    const notes = notesOf(record, systemClock.now());
    const html = viewerHtml(
      { title: titleOf(record), messages: messagesOf(record, notes) },
      readParts(world),
    );
    write(html, target);
    const { redactions, leftOut } = record;
    const places = counted(redactions, 'place', 'places');
    world.output.write(
      [
        `Written to ${target} (${(Buffer.byteLength(html) / 1e6).toFixed(1)} MB).`,
        ...leftOut,
        `Secrets and paths of your home are taken out (${places}); nothing was sent anywhere.`,
        '',
      ].join('\n'),
    );
    if (options.open && !openPath(target, world)) {
      world.notes.write('It was not opened: there is no terminal with a screen here.\n');
    }
    return exitCodes.done;
  });
}

function fileName(runId: string): string {
  return runId.replace(/[^\w.-]/g, '-');
}

function refuseToReplace(target: string, isForced: boolean): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    throw new UsageError(`${target} is a folder.`, 'Name a file with --output.');
  }
  if (found !== undefined && !isForced) {
    throw new UsageError(
      `${target} is there already.`,
      'Name another place with --output, or replace it with --force.',
    );
  }
  if (statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${dirname(target)}.`);
  }
}

function readParts({ installDir }: World): ViewerParts {
  const read = (name: string): string => readFileSync(join(installDir, 'dist', name), 'utf8');
  try {
    return {
      ...{ script: read('webview.js'), style: read('webview.css') },
      ...{ hostScript: read('viewer.js'), hostStyle: read('viewer.css') },
    };
  } catch {
    throw new UsageError(
      'The parts of the page are not in this installation.',
      `Install it again; webview and viewer belong into ${join(installDir, 'dist')}.`,
    );
  }
}

function titleOf({ task }: ShownRecord): string {
  return `MassGen: ${revealOnOneLine(task).slice(0, 80)}`;
}

function notesOf({ hasEnded, leftOut }: ShownRecord, now: number): readonly string[] {
  const time = new Date(now).toISOString().slice(0, 16).replace('T', ' ');
  return [
    `Written ${time} UTC.`,
    ...(hasEnded ? [] : ['The run had not ended then.']),
    'Secrets and paths of the home are taken out.',
    ...leftOut,
  ];
}

/** What a host would have said: nothing around the run, and its events. */
function messagesOf({ runId, events }: ShownRecord, notes: readonly string[]): readonly unknown[] {
  const host: HostState = {
    ...{ rev: 1, blocker: null, teams: [], teamId: null, hasNoModel: false, folders: [] },
    ...{ forecast: null, caps: { durationMs: null, modelCalls: null, costUsd: null } },
    ...{ unconfinedReason: null, confinement: null, checks: [], unsavedFiles: 0, runs: [] },
    ...{ shownRunId: runId, sampleTask: null, language: 'en', session: null },
    file: { notes },
  };
  const result = { difference: null, changedFiles: [] };
  return [
    { type: 'host', host },
    { type: 'replay', runId, events, result },
  ];
}

/** Appears as a whole, or not at all. */
function write(html: string, target: string): void {
  const partial = `${target}.${process.pid}.partial`;
  try {
    writeFileSync(partial, html, { mode: 0o600 });
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
