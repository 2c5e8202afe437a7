// What the user's settings change about a run, whatever its team file says.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Retention, RunConfig, StartRunRequest } from '../../app/app-contract';
import type { PolicyMode } from '../runs/command-policy';
import { capsOf } from './caps';
import { readSetting } from './read-settings';

/** Caps are the user's where the file states none; instructions of the project are given only where both want it. */
export function withUsersSettings(config: RunConfig): RunConfig {
  const { settings } = config;
  return {
    ...config,
    caps: capsOf(config),
    settings: {
      ...settings,
      projectInstructions: settings.projectInstructions && readSetting('projectInstructions'),
    },
  };
}

/** Where the readable files of a run go: beside the other data of the extension, or into the project on demand. */
export function artifactsPlace(): Pick<StartRunRequest, 'artifactsRoot'> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return readSetting('logs.location') === 'project' && folder !== undefined
    ? { artifactsRoot: join(folder.uri.fsPath, '.massgen') }
    : {};
}

/** Which commands of agents run without asking; read at each command, so that a change counts at once. */
export function policyMode(): PolicyMode {
  return readSetting('commands.policy');
}

/** What is kept on the disk at most. */
export function retention(): Retention {
  const gigabytes = readSetting('storage.maxGigabytes');
  return {
    runs: readSetting('storage.keepRuns'),
    days: readSetting('storage.keepDays'),
    bytes: gigabytes === null ? null : gigabytes * 1_000_000_000,
  };
}
