// What the user's settings change about a run, whatever its team file says.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Retention, RunConfig, StartRunRequest } from '../../app/app-contract';
import { type PolicyMode, toPolicyMode } from '../runs/command-policy';
import { capsOf } from './caps';

/** Caps are the user's where the file states none; instructions of the project are given only where both want it. */
export function withUsersSettings(config: RunConfig): RunConfig {
  const wanted = vscode.workspace.getConfiguration('massgen').get<unknown>('projectInstructions');
  const { settings } = config;
  return {
    ...config,
    caps: capsOf(config),
    settings: {
      ...settings,
      projectInstructions: settings.projectInstructions && wanted !== false,
    },
  };
}

/** Where the readable files of a run go: beside the other data of the extension, or into the project on demand. */
export function artifactsPlace(): Pick<StartRunRequest, 'artifactsRoot'> {
  const location = vscode.workspace.getConfiguration('massgen.logs').get<unknown>('location');
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return location === 'project' && folder !== undefined
    ? { artifactsRoot: join(folder.uri.fsPath, '.massgen') }
    : {};
}

/** Which commands of agents run without asking; read at each command, so that a change counts at once. */
export function policyMode(): PolicyMode {
  return toPolicyMode(vscode.workspace.getConfiguration('massgen.commands').get('policy'));
}

/** What is kept on the disk at most; a value that is no number sets no limit. */
export function retention(): Retention {
  const settings = vscode.workspace.getConfiguration('massgen.storage');
  const limit = (name: string): number | null => {
    const value = settings.get<unknown>(name);
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const gigabytes = limit('maxGigabytes');
  return {
    runs: limit('keepRuns'),
    days: limit('keepDays'),
    bytes: gigabytes === null ? null : gigabytes * 1_000_000_000,
  };
}
