// Settings about agent programs and servers of tools; those of the machine, which no workspace can set.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ConfigProblem, RunConfig } from '../../app/app-contract';
import type { ProgramPlaces } from '../../app/installed-programs';
import { withEditorServers, withPrograms, withoutServers } from '../../app/team-settings';
import { readSetting } from './read-settings';
import type { TeamFile } from './team-files';

/** Where agent programs are looked for; nothing is started. */
export function programPlaces(): ProgramPlaces {
  const home = homedir();
  return {
    searchPath: process.env['PATH'] ?? '',
    furtherFolders: [
      ...[join(home, '.local', 'bin'), join(home, '.npm-global', 'bin'), join(home, 'bin')],
      ...['/opt/homebrew/bin', '/usr/local/bin'],
    ],
    paths: readSetting('programs.paths'),
  };
}

/** The team as the settings of this machine have it. `servers`: the project's servers for the editor, if they are used. */
export function asSetHere(
  config: RunConfig,
  servers: TeamFile | undefined,
): { readonly config: RunConfig; readonly problems: readonly ConfigProblem[] } {
  const set = withPrograms(config, readSetting('programs.paths'));
  if (!readSetting('mcp.enabled')) {
    return { config: withoutServers(set), problems: [] };
  }
  return servers === undefined ? { config: set, problems: [] } : withEditorServers(set, servers);
}

/**
 * `.vscode/mcp.json` of the first folder that has one, where the user wants its servers to be used. It comes with the
 * project like a team file, so that it is asked about like one.
 */
export async function projectServers(): Promise<TeamFile | undefined> {
  const isWanted = readSetting('mcp.enabled') && readSetting('mcp.useEditorServers');
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  for (const { uri } of isWanted ? folders : []) {
    const path = join(uri.fsPath, '.vscode', 'mcp.json');
    const text =
      uri.scheme === 'file' ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
    if (text !== undefined) {
      return { path, text, isFromWorkspace: true };
    }
  }
  return undefined;
}
