import type { LocalServer } from '../../app/app-contract';
import type { RunId } from '../../base/ids';
import { isMassGenError } from '../../core/errors';
import type { Blocker } from '../../protocol/webview';
import * as vscode from 'vscode';
import { failedToStart, findBlocker } from '../host/blockers';
import { artifactsPlace, policyMode, withUsersSettings } from '../host/run-settings';
import { contextFolders, unsavedBytes } from '../host/folders';
import { askForTrust } from '../host/team-trust';
import { toSentences } from '../problems';
import type { Services } from '../services';
import { checkHere } from './check-here';
import { WorkspaceCommandPolicy } from './command-policy';

/**
 * Starts a run with the chosen team. When something is in the way, the panel shows it with its remedy and nothing is
 * sent anywhere. With `follows` the run becomes the next turn of that run's session.
 */
export async function startRun(services: Services, task: string, follows?: RunId): Promise<void> {
  await services.runs.startOnce(() => tryToStart(services, task, follows));
}

async function tryToStart(
  services: Services,
  task: string,
  follows: RunId | undefined,
): Promise<void> {
  const { app, checks, host, memory, panel, runs, signal } = services;
  host.setStartFailure(undefined);
  const team = await host.chosenTeam();
  let blocker = findBlocker(team, services);
  if (blocker?.kind === 'team-file-not-trusted' && team !== undefined) {
    if (!(await askForTrust(team, app, memory))) {
      // The panel learns that its wish came to nothing, and takes the next one.
      host.touch();
      return;
    }
    host.touch();
    blocker = findBlocker(await host.chosenTeam(), services);
  }
  if (blocker !== undefined || team?.config === undefined || task.trim() === '') {
    host.touch();
    await panel.show();
    return;
  }
  const folders = contextFolders(memory, team.config);
  try {
    await checkHere(app, team, folders, signal);
    await runs.start(
      {
        task: task.trim(),
        config: withUsersSettings(team.config),
        folders,
        unsaved: await unsavedBytes(),
        commandPolicy: new WorkspaceCommandPolicy(memory, policyMode),
        canAskPerson: true,
        ...(await checks.chosen(team.config, folders)),
        ...artifactsPlace(),
        ...(follows === undefined ? {} : { follows }),
      },
      signal,
    );
  } catch (error) {
    services.logger.error('app', 'The run could not start.', error);
    const servers = team.isScripted ? await app.detectLocalServers(signal) : [];
    const detail = servers.map(serverInWords);
    host.setStartFailure(failedToStart(toSentences(error), remediesFor(error), detail));
    await panel.show();
  }
}

/** A script knows one task; a server that runs here could do any other. */
function serverInWords({ name, baseUrl, models }: LocalServer): string {
  const { host } = new URL(baseUrl);
  return models.length === 0
    ? vscode.l10n.t('{0} answers at {1}; it has no model yet.', name, host)
    : vscode.l10n.t('{0} answers at {1} with {2}.', name, host, models.join(', '));
}

/** The ways out of a failed start, the likeliest first. */
function remediesFor(error: unknown): Blocker['actions'] {
  const useEditorModels = {
    action: 'use-editor-models',
    label: vscode.l10n.t('Use Editor Models'),
  } as const;
  const addKey = { action: 'add-key', label: vscode.l10n.t('Add Key or Server…') } as const;
  const openSample = {
    action: 'open-sample',
    label: vscode.l10n.t('Open Sample Project'),
  } as const;
  const back = { action: 'new-run', label: vscode.l10n.t('Back to the Task') } as const;
  const showLogs = { action: 'show-logs', label: vscode.l10n.t('Show Logs') } as const;
  if (isMassGenError(error, 'config/missing-secret')) {
    const setKey = { action: 'set-key', label: vscode.l10n.t('Set API Key…') } as const;
    return [setKey, back, showLogs];
  }
  return isMassGenError(error) && /^(config|backend)\//.test(error.code)
    ? [useEditorModels, addKey, openSample, back, showLogs]
    : [back, showLogs];
}
