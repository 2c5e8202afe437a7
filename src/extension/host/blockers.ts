// Why nothing can start, as one sentence and what to do about it.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { App, ConfigProblem, RunConfig } from '../../app/app-contract';
import { reachOutside } from '../../app/outside-reach';
import type { Blocker } from '../../protocol/webview';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import type { Memory } from '../memory';
import { isVirtualOnly } from './folders';
import { readSetting } from './read-settings';
import { type TeamFile, configuredTeamFile } from './team-files';
import { accessLines, untrustedFiles } from './team-trust';
import type { Team } from './teams';

/** `undefined` when a run with this team could start. */
export function findBlocker(
  team: Team | undefined,
  { app, memory }: { readonly app: App; readonly memory: Memory },
): Blocker | undefined {
  if (!vscode.workspace.isTrusted) {
    return untrusted();
  }
  if (isVirtualOnly()) {
    return virtual();
  }
  if (team === undefined) {
    return undefined;
  }
  if (team.config === undefined) {
    return team.file === undefined ? missingTeamFile(team) : badTeamFile(team);
  }
  const [file] = untrustedFiles(team, memory);
  return (
    leavesThisMachine(team.config, app) ??
    (file === undefined ? undefined : notTrusted(team, file, app))
  );
}

export function failedToStart(
  message: string,
  actions: Blocker['actions'],
  detail: Blocker['detail'] = [],
): Blocker {
  return {
    kind: 'failed-to-start',
    heading: vscode.l10n.t('The run could not start'),
    text: message,
    detail,
    actions,
  };
}

function untrusted(): Blocker {
  return {
    kind: 'untrusted',
    heading: vscode.l10n.t('This workspace is not trusted'),
    text: vscode.l10n.t('Restricted Mode: runs are off, history can be read.'),
    detail: [],
    actions: [{ action: 'manage-trust', label: vscode.l10n.t('Manage Workspace Trust') }],
  };
}

function virtual(): Blocker {
  return {
    kind: 'virtual',
    heading: vscode.l10n.t('No local files'),
    text: vscode.l10n.t('This folder has no local files, so agents cannot work on it.'),
    detail: [],
    actions: [{ action: 'open-locally', label: vscode.l10n.t('Open Locally') }],
  };
}

function badTeamFile(team: Team): Blocker {
  const errors = team.problems.filter(({ severity }) => severity === 'error');
  const file = basename(team.file?.path ?? team.name);
  return {
    kind: 'bad-team-file',
    heading:
      errors.length === 1
        ? vscode.l10n.t('1 problem in {0}', file)
        : vscode.l10n.t('{0} problems in {1}', errors.length, file),
    text: vscode.l10n.t('No run can start with this team until the file is right.'),
    detail: errors.map(problemLine),
    actions: [{ action: 'open-team-file', label: vscode.l10n.t('Open File') }],
  };
}

function missingTeamFile({ name }: Team): Blocker {
  return {
    kind: 'bad-team-file',
    heading: vscode.l10n.t('There is no team file "{0}"', name),
    text: vscode.l10n.t('The setting massgen.team names a file that cannot be read.'),
    detail: [configuredTeamFile() ?? ''],
    actions: [{ action: 'change-team-setting', label: vscode.l10n.t('Change Setting') }],
  };
}

function problemLine({ line, message }: ConfigProblem): string {
  return vscode.l10n.t('Line {0}: {1}', line, message);
}

/** Where the user, or the project, wants nothing to leave this machine. */
function leavesThisMachine(config: RunConfig, app: App): Blocker | undefined {
  const outside = readSetting('privacy.localModelsOnly') ? reachOutside(config, app) : [];
  return outside.length === 0
    ? undefined
    : {
        kind: 'leaves-this-machine',
        heading: vscode.l10n.t('This team would send code to another machine'),
        text: vscode.l10n.t('The settings allow only teams that stay on this machine.'),
        detail: outside.map(({ agentIds, place }) =>
          revealOnOneLine(`${agentIds.join(', ')}: ${place}`),
        ),
        actions: [{ action: 'change-privacy-setting', label: vscode.l10n.t('Change Setting') }],
      };
}

function notTrusted(team: Team, file: TeamFile, app: App): Blocker {
  return {
    kind: 'team-file-not-trusted',
    heading: vscode.l10n.t('Check this team file first'),
    text: vscode.l10n.t(
      '{0} comes with this folder. This is what it reaches; nothing was sent yet.',
      basename(file.path),
    ),
    detail: accessLines(team, app),
    actions: [
      { action: 'open-team-file', label: vscode.l10n.t('Open File') },
      { action: 'trust-team-file', label: vscode.l10n.t('Trust This Team File…') },
    ],
  };
}
