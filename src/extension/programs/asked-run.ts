// A run that another extension asks for. Whatever it says of itself, the user decides: about the start, about commands,
// and about each change.
import * as vscode from 'vscode';
import { changeSet, patchOf } from '../../api/change-set';
import { checkedText, textOf } from '../../api/checked-team';
import { type ChangeSet, RunError, type RunResult } from '../../api/contract';
import type { RunEvent } from '../../api/event-contract';
import { EventTeller } from '../../api/public-events';
import type { ExtensionRunOptions } from '../../api/run-contract';
import { runResult } from '../../api/run-result';
import type { RunHandle } from '../../app/app-contract';
import { playerOf } from '../../app/player-of';
import { onAbort } from '../../base/abort';
import { playerName } from '../../run/selectors/player-name';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import { findBlocker } from '../host/blockers';
import { contextFolders, unsavedBytes } from '../host/folders';
import { artifactsPlace, policyMode, withUsersSettings } from '../host/run-settings';
import { accessLines, askForTrust } from '../host/team-trust';
import type { Team } from '../host/teams';
import { capsOf } from '../host/caps';
import { WorkspaceCommandPolicy } from '../runs/command-policy';
import type { Services } from '../services';
import { stricterCaps } from './stricter-caps';

export interface AskedRun {
  readonly task: string;
  readonly options: ExtensionRunOptions;
  readonly tell: (events: readonly RunEvent[]) => void;
}

/** Throws `RunError`: `cancelled/user` when the user says no, `config/*` when it cannot start. */
export async function playAskedRun(
  services: Services,
  asked: AskedRun,
  signal: AbortSignal,
): Promise<RunResult> {
  const asker = askerOf(asked);
  const { team, warnings } = await teamFor(services, asked.options, signal);
  await refuseWhenBlocked(services, team);
  await askUser(services, { asked, asker, team });
  signal.throwIfAborted();
  const handle = await start(services, asked, team);
  services.logger.info('app', `${asker} asked for the run ${handle.runId}.`);
  const stopping = onAbort(signal, () => handle.stop());
  await handle.ended;
  stopping.dispose();
  const patch = await patchOf(handle, services.signal);
  return runResult(handle, {
    changes: changeSet(handle, { patch, applied: [], apply: refuseToApply }),
    warnings,
    logDirectory: handle.artifactsDir,
  });
}

/** Callers may be plain JavaScript. */
interface Unchecked {
  readonly task: unknown;
  readonly options: { readonly extensionId: unknown };
}

function askerOf({ task, options: { extensionId } }: Unchecked): string {
  const extension =
    typeof extensionId === 'string' ? vscode.extensions.getExtension(extensionId) : undefined;
  if (extension === undefined) {
    throw new RunError({
      code: 'config/invalid',
      message: 'options.extensionId names no installed extension.',
    });
  }
  if (typeof task !== 'string' || task.trim() === '') {
    throw new RunError({ code: 'config/invalid', message: 'The task is empty.' });
  }
  return extension.id;
}

/** Id of a team that the other extension has brought. */
const ofAsker = 'asked';

interface AskedTeam {
  readonly team: Team;
  readonly warnings: readonly string[];
}

async function teamFor(
  { app, host }: Services,
  { config }: ExtensionRunOptions,
  signal: AbortSignal,
): Promise<AskedTeam> {
  if (config === undefined) {
    const team = await host.chosenTeam();
    if (team === undefined) {
      throw new RunError({ code: 'config/invalid', message: 'No team is chosen in this window.' });
    }
    return { team, warnings: [] };
  }
  const project = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const text = { text: textOf(config), name: '(config)', project };
  const found = await checkedText(app, text, signal);
  const team: Team = {
    ...{ id: ofAsker, name: found.config.name, config: found.config },
    ...{ problems: [], file: undefined, isScripted: false },
  };
  return { team, warnings: found.warnings };
}

async function refuseWhenBlocked({ app, memory }: Services, team: Team): Promise<void> {
  let blocker = findBlocker(team, { app, memory });
  if (blocker?.kind === 'team-file-not-trusted' && (await askForTrust(team, app, memory))) {
    blocker = findBlocker(team, { app, memory });
  }
  if (blocker !== undefined) {
    const { heading, text, detail } = blocker;
    throw new RunError({
      code: 'config/untrusted',
      message: [`${heading}.`, text, ...detail].join('\n'),
    });
  }
}

const shownTask = 1_000;

interface Question {
  readonly asked: AskedRun;
  readonly asker: string;
  readonly team: Team;
}

async function askUser({ app }: Services, { asked, asker, team }: Question): Promise<void> {
  const players = (team.config?.agents ?? []).map(({ backend }) =>
    playerName(playerOf(backend, app.backendKinds)),
  );
  const task = asked.task.trim();
  const allow = vscode.l10n.t('Start Run');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let the extension {0} give your team a task?', asker),
    {
      modal: true,
      detail: [
        taskInWords(task),
        '',
        vscode.l10n.t('Team: {0}', revealOnOneLine(players.join(', '))),
        // Long lines wrap: the mark tells where each begins.
        ...accessLines(team, app).map((line) => `• ${line}`),
        '',
        vscode.l10n.t('The run is shown in the panel. Its changes wait for your review.'),
        vscode.l10n.t('The editor does not say who asks: {0} is the name that was given.', asker),
      ].join('\n'),
    },
    allow,
  );
  if (choice !== allow) {
    throw new RunError({ code: 'cancelled/user', message: 'The user did not start the run.' });
  }
}

/** A long one is cut, and that it was cut is told: the rest may say something else. */
function taskInWords(task: string): string {
  const hidden = task.length - shownTask;
  return hidden <= 0
    ? revealOnOneLine(task)
    : vscode.l10n.t(
        '{0}… ({1} more characters are not shown here)',
        revealOnOneLine(task.slice(0, shownTask)),
        hidden,
      );
}

async function start(
  { checks, memory, panel, runs, signal }: Services,
  { task, tell }: AskedRun,
  { id, config }: Team,
): Promise<RunHandle> {
  if (config === undefined) {
    throw new RunError({ code: 'config/invalid', message: 'The team has problems.' });
  }
  const folders = contextFolders(memory, config);
  const settled = withUsersSettings(config);
  const teller = new EventTeller();
  const handle = await runs.start(
    {
      ...{ task: task.trim(), folders },
      config:
        id === ofAsker
          ? { ...settled, caps: stricterCaps(settled.caps, capsOf(undefined)) }
          : settled,
      unsaved: await unsavedBytes(),
      commandPolicy: new WorkspaceCommandPolicy(memory, policyMode),
      canAskPerson: true,
      ...(await checks.chosen(config, folders)),
      ...artifactsPlace(),
      onEvents: (events, state) => tell(teller.tell(events, state)),
    },
    signal,
  );
  await panel.show();
  return handle;
}

const refuseToApply: ChangeSet['apply'] = async () => {
  throw new RunError({
    code: 'config/invalid',
    message: 'Changes are accepted by the user alone, in the review.',
  });
};
