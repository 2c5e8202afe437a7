// A team file that comes with a folder says who will receive code and keys, so it is asked about before its first run.
import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { sha256Hex } from '../../base/sha256';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import type { Memory } from '../memory';
import { type TeamFile, teamFileName } from './team-files';
import type { Team } from './teams';

/** Files of the folder that say what the team reaches and that nobody has agreed to as they are now. */
export function untrustedFiles({ file, servers }: Team, memory: Memory): readonly TeamFile[] {
  return [file, servers]
    .filter(
      (each) =>
        each?.isFromWorkspace === true &&
        !memory.isTrustedTeamFile(each.path, sha256Hex(each.text)),
    )
    .flatMap((each) => each ?? []);
}

/** One line for each host with what it receives, then what else the file reaches. */
export function accessLines(team: Team, app: App): readonly string[] {
  if (team.config === undefined) {
    return [];
  }
  const { hosts, paths, downloads, commands, programs } = app.describeEgress(team.config);
  const lines = hosts.map(({ host, keys }) =>
    keys.length === 0
      ? vscode.l10n.t('{0} receives the task and code; no key.', host)
      : vscode.l10n.t(
          '{0} receives the task, code, and {1}.',
          host,
          keys.map(keyInWords).join(', '),
        ),
  );
  const local = localServers(team.config, hosts).map((host) =>
    vscode.l10n.t('{0}, a server on this machine, receives the task and code.', host),
  );
  const isSilent = lines.length === 0 && downloads.length === 0;
  return [
    ...lines,
    ...(isSilent ? [vscode.l10n.t('Nothing leaves this machine.')] : []),
    ...downloads.map(({ host, address }) =>
      vscode.l10n.t('{0} is asked for a file that agents see: {1}', host, address),
    ),
    ...local,
    ...programs.map(programInWords),
    ...paths.map((path) => vscode.l10n.t('Agents see {0}.', path)),
    ...commands.map((command) =>
      vscode.l10n.t('It runs this check in copies of the project: {0}', command),
    ),
    // Whatever the file has in its names and paths, each thing stays on its own line and reads as it is.
  ].map(revealOnOneLine);
}

type Egress = ReturnType<App['describeEgress']>;

/** The command as it is, and who gets what by it: what runs can do more than its name says. */
function programInWords({
  purpose,
  command,
  variables,
  agentIds,
  isGivenFileKey,
}: Egress['programs'][number]): string {
  const started = /^https?:\/\//.test(command)
    ? vscode.l10n.t('It reaches {0} for {1}: {2}', purpose, agentIds.join(', '), command)
    : vscode.l10n.t('It starts {0} for {1}: {2}', purpose, agentIds.join(', '), command);
  const line =
    isGivenFileKey === true
      ? vscode.l10n.t('{0} (with a key that stands in the file)', started)
      : started;
  return variables.length === 0
    ? line
    : vscode.l10n.t('{0} (with the variables {1})', line, variables.join(', '));
}

/** Servers of agents that no host outside gets anything for: such a server may well hand on what it gets. */
function localServers(
  { agents }: NonNullable<Team['config']>,
  hosts: Egress['hosts'],
): readonly string[] {
  const outside = new Set(hosts.flatMap(({ agentIds }) => agentIds));
  const addresses = agents.flatMap(({ id, backend }) => {
    const address = outside.has(id) ? undefined : backend.options['base_url'];
    return typeof address === 'string' && URL.canParse(address) ? [new URL(address).host] : [];
  });
  return [...new Set(addresses)];
}

/** A key that is not the usual one of its host could be somebody else's: the user has to see that pair. */
function keyInWords({ name, isUsual, isOfFile }: Egress['hosts'][number]['keys'][number]): string {
  if (isOfFile === true) {
    return vscode.l10n.t('a key that stands in the file');
  }
  return isUsual
    ? vscode.l10n.t('the key {0}', name)
    : vscode.l10n.t('the key {0}, which is not the usual key of this host', name);
}

/** Shows what the file reaches and asks; `true` when the user trusts exactly this content from now on. */
export async function askForTrust(team: Team, app: App, memory: Memory): Promise<boolean> {
  const files = untrustedFiles(team, memory);
  const [file] = files;
  if (file === undefined) {
    return true;
  }
  const trust = vscode.l10n.t('Trust This Team File');
  const open = vscode.l10n.t('Open File');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Use the team file "{0}" of this folder?',
      revealOnOneLine(teamFileName(file.path)),
    ),
    {
      modal: true,
      detail: [
        ...files.map(({ path }) => revealOnOneLine(path)),
        '',
        // Long lines wrap: the mark tells where each begins.
        ...accessLines(team, app).map((line) => `• ${line}`),
        '',
        vscode.l10n.t('You are asked again when the file changes.'),
      ].join('\n'),
    },
    trust,
    open,
  );
  if (choice === trust) {
    for (const { path, text } of files) {
      await memory.trustTeamFile(path, sha256Hex(text));
    }
  } else if (choice === open) {
    await vscode.window.showTextDocument(vscode.Uri.file(file.path));
  }
  return choice === trust;
}
