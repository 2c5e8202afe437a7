// Settings about agent programs and servers of tools; those of the machine, which no workspace can set.
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunConfig } from '../../app/app-contract';
import type { ProgramPlaces } from '../../app/installed-programs';
import { withPrograms, withoutServers } from '../../app/team-settings';

/** Where agent programs are looked for; nothing is started. */
export function programPlaces(): ProgramPlaces {
  const home = homedir();
  return {
    searchPath: process.env['PATH'] ?? '',
    furtherFolders: [
      ...[join(home, '.local', 'bin'), join(home, '.npm-global', 'bin'), join(home, 'bin')],
      ...['/opt/homebrew/bin', '/usr/local/bin'],
    ],
    paths: programPaths(),
  };
}

/** The team as the settings of this machine have it. */
export function asSetHere(config: RunConfig): RunConfig {
  const hasServers = settings().get<boolean>('mcp.enabled', true);
  const served = hasServers ? config : withoutServers(config);
  return withPrograms(served, programPaths());
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('massgen');
}

/** Whole paths by `backend.type`. */
function programPaths(): Readonly<Record<string, string>> {
  const set = settings().get<unknown>('programs.paths');
  const entries = typeof set === 'object' && set !== null ? Object.entries(set) : [];
  return Object.fromEntries(
    entries.flatMap(([type, path]) =>
      typeof path === 'string' && path.trim() !== '' ? [[type, path.trim()]] : [],
    ),
  );
}
