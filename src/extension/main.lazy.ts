// Puts the extension together, at the first command or view.
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { builtConfig } from '../api/checked-team';
import { createApp } from '../app/create-app';
import { createDiskFiles } from '../app/disk-files';
import type { App } from '../app/app-contract';
import { DisposableStore } from '../base/disposable';
import { ownValue } from '../base/own-value';
import { MassGenError, isCancelled } from '../core/errors';
import type { Logger } from '../core/ports/logger';
import { commandTable } from './commands/table';
import { EditorSecrets } from './editor-secrets';
import { EditorSignIns } from './editor-sign-ins';
import { HostChecks } from './host/host-checks';
import { HostConfinement } from './host/host-confinement';
import { HostModel } from './host/host-model';
import { readSetting } from './host/read-settings';
import { retention } from './host/run-settings';
import { readSampleTask } from './host/sample-project';
import { TeamFiles } from './host/team-files';
import { Teams } from './host/teams';
import { TeamLanguage } from './language/team-language';
import { EditorModels } from './lm/editor-models';
import { createLmKind } from './lm/lm-kind';
import { Memory } from './memory';
import { outputLogger } from './output-logger';
import { Problems } from './problems';
import { playAskedRun } from './programs/asked-run';
import { Conflicts } from './review/conflicts';
import { EditorFiles } from './review/editor-files';
import { PartEditors } from './review/part-editors';
import { PartLenses } from './review/part-lenses';
import { Proposals } from './review/proposals';
import { ReviewDesk } from './review/review-desk';
import { ForeignSessions } from './runs/foreign-sessions';
import { KeepBases } from './runs/keep-bases';
import { restoreRun } from './runs/restore-run';
import { RunTexts } from './runs/run-texts';
import { SessionFacts } from './runs/session-facts';
import { WindowRuns } from './runs/window-runs';
import type { Services } from './services';
import type { Shell, ShellParts } from './shell';
import { systemClock } from './system-clock';
import { editorTools } from './tools/editor-tools';
import { HistoryTree } from './views/history-tree';
import { onPanelMessage } from './views/panel-actions';
import { ReviewTree } from './views/review-tree';
import { RunSignals } from './views/run-signals';
import { RunView } from './views/run-view';

/** The list of sessions that this window shares with the command line and other programs of the user. */
const registryFile = join(homedir(), '.massgen', 'sessions.json');
const place = { origin: 'vscode', registryFile } as const;

/** Those of a project's files are never taken. */
const variables = {
  get: (name: string) => ownValue(process.env, name),
  places: ['the environment of the editor'],
};

export async function createShell(parts: ShellParts): Promise<Shell> {
  const { context } = parts;
  const store = new DisposableStore();
  const closing = new AbortController();
  const services = await createServices(parts, store, closing.signal);
  const { app, desk, panel, problems, runs, logger } = services;
  const reviewTree = store.add(new ReviewTree(services, parts.reviewView));
  const foreign = store.add(new ForeignSessions({ app, registryFile, logger }));
  const historyTree = store.add(new HistoryTree(app, runs, foreign));
  store.add(
    foreign.onDidChange(() => {
      void runs.readAgain().catch((error: unknown) => {
        logger.error('storage', 'The shown run could not be read again.', error);
      });
    }),
  );
  const proposals = store.add(new Proposals(desk, runs, parts.files));
  store.add(new RunSignals(runs, panel));
  store.add(new TeamLanguage(app, context.secrets.onDidChange));
  store.add(new PartLenses(desk, runs));
  store.add(new KeepBases(runs, logger));
  reviewTree.refresh();
  services.logger.info('app', `${context.extension.id} is ready.`);
  let closed: Promise<void> | undefined;
  return {
    panel,
    reviewTree,
    historyTree,
    proposals,
    async execute(id, args): Promise<void> {
      try {
        await commandTable[id](services, args);
      } catch (error) {
        problems.report(`The command ${id} failed.`, error);
      }
    },
    programs: {
      run: (asked, signal) => playAskedRun(services, asked, signal),
      buildConfig: (options) => builtConfig(app, options, closing.signal),
    },
    async close(): Promise<void> {
      closed ??= closeAll(app, closing, store);
      await closed;
    },
  };
}

async function closeAll(app: App, closing: AbortController, store: DisposableStore): Promise<void> {
  closing.abort(new MassGenError('cancelled/shutdown', 'The window closes.'));
  await app.close();
  store.dispose();
}

async function createServices(
  { context, log }: ShellParts,
  store: DisposableStore,
  signal: AbortSignal,
): Promise<Services> {
  const installDir = context.extensionUri.fsPath;
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const logger = outputLogger(log);
  const memory = new Memory(context.workspaceState, context.globalState);
  const secrets = new EditorSecrets(context.secrets, memory);
  const models = store.add(new EditorModels(memory));
  const app = createApp({
    ...{ storageDir: storage, installDir, clock: systemClock, logger, secrets },
    ...{ ...place, variables },
    extraBackends: [createLmKind(() => models.known)],
    ...{ extraTools: editorTools, ripgrep: ripgrepOfEditor() },
    signIns: new EditorSignIns(context.secrets),
    hiddenPaths: () => readSetting('privacy.hide'),
    liveFiles: new EditorFiles(createDiskFiles(), () => readSetting('review.saveAfterAccept')),
  });
  const runs = store.add(new WindowRuns(app));
  const teamFiles = store.add(new TeamFiles(join(context.globalStorageUri.fsPath, 'teams')));
  const teams = new Teams({ app, files: teamFiles, models, memory });
  const sampleTask = await readSampleTask(installDir);
  const checks = new HostChecks({ app, memory, logger, signal });
  const host = store.add(
    new HostModel({
      ...{ app, installDir, memory, teams, teamFiles, models, runs, sampleTask },
      ...{ checks, confinement: new HostConfinement({ app, logger, signal }) },
      sessions: new SessionFacts(app, runs, logger),
    }),
  );
  const problems = new Problems(logger);
  const desk = new ReviewDesk(runs);
  const lookForModels = (): void => void look(models, logger);
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(lookForModels));
  const panel = store.add(
    new RunView({
      ...{ extensionUri: context.extensionUri, host, runs, logger },
      onReady: firstTime(() => {
        comeBack({ app, memory, runs }, logger);
        void retain(app, logger, signal);
      }, lookForModels),
      onMessage(message): void {
        void onPanelMessage(services, message).catch((error: unknown) =>
          problems.report(`The panel's ${message.type} failed.`, error),
        );
      },
    }),
  );
  const services: Services = {
    ...{ app, context, installDir, log, logger, clock: systemClock, problems, memory, secrets },
    ...{ models, teams, teamFiles, host, runs, desk, panel, signal },
    texts: store.add(new RunTexts(app, runs)),
    checks,
    editors: store.add(new PartEditors(desk, runs, logger)),
    conflicts: store.add(new Conflicts(desk, runs)),
  };
  return services;
}

/** A function that calls `first` the first time, and `always` each time. */
function firstTime(first: () => void, always: () => void): () => void {
  let isFirst = true;
  return () => {
    if (isFirst) {
      isFirst = false;
      first();
    }
    always();
  };
}

function comeBack(parts: Parameters<typeof restoreRun>[0], logger: Logger): void {
  void restoreRun(parts).catch((error: unknown) =>
    logger.error('storage', 'The last run could not be shown.', error),
  );
}

/** Runs beyond the user's limits go; one that is open for review stays in any case. */
async function retain(app: App, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    await app.retain(retention(), signal);
  } catch (error) {
    if (!isCancelled(error)) {
      logger.error('storage', 'Old runs could not be removed.', error);
    }
  }
}

/** Not in Restricted Mode: nothing of a folder that is not trusted shall set anything off. */
async function look(models: EditorModels, logger: Logger): Promise<void> {
  try {
    if (vscode.workspace.isTrusted) await models.look();
  } catch (error) {
    logger.error('backend', 'The models of the editor could not be listed.', error);
  }
}

/** Where the versions of the editor keep it. */
function ripgrepOfEditor(): readonly string[] {
  const platform = `${process.platform}-${process.arch}`;
  const places = ['ripgrep/bin', `ripgrep-universal/bin/${platform}`];
  return places.map((place) => join(vscode.env.appRoot, 'node_modules', '@vscode', place, 'rg'));
}
