// The ways to a real model: the editor's own, a key, a server or an agent program on this machine.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import type { InstalledProgram, LocalServer } from '../../app/app-contract';
import { findInstalledPrograms, programVersion } from '../../app/installed-programs';
import { programPlaces } from '../host/program-settings';
import {
  type KnownService,
  type Member,
  knownServices,
  membersAt,
  mixedTeam,
  teamText,
} from '../../app/services-table';
import { askForTrust } from '../host/team-trust';
import { editorTeamId, toTeamChoice } from '../host/teams';
import { proposeTeam } from '../lm/editor-models';
import type { CommandAction, Services } from '../services';
import { askForKey } from './keys';

/** Asks the editor for its models; with two families or more a team of three is proposed and chosen. */
export const useEditorModels: CommandAction = async ({ host, memory, models }) => {
  const found = await models.refresh();
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The editor offers no language model now. Sign in to a provider, or add a key or a local server.',
      ),
    );
  } else if (proposeTeam(found).length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The editor offers models of one family only; a team needs two or more. Name them in a team file to use them all the same.',
      ),
    );
  } else {
    await memory.setTeamId(editorTeamId);
  }
  host.touch();
};

interface Choice extends vscode.QuickPickItem {
  readonly act?: () => Promise<void>;
}

/**
 * What can be used at once stands first, then what is found on this machine, then every service. Programs are looked for
 * by name and not started; local servers are asked each time the list is opened.
 */
export const addKeyOrServer: CommandAction = async (services) => {
  const { app, clock } = services;
  const [local, programs] = await Promise.all([
    findLocalServers(services),
    findInstalledPrograms(programPlaces()),
  ]);
  const known = knownServices(app.backendKinds, clock.now());
  const items: readonly Choice[] = [
    ...group(vscode.l10n.t('ready'), readyTeams(services, known, programs)),
    ...group(vscode.l10n.t('on this machine'), [
      ...local.map((server) => serverChoice(services, server)),
      ...programs.map((program) => programChoice(services, program)),
      ...(local.length > 0 ? [] : [lookChoice(services)]),
    ]),
    ...group(
      vscode.l10n.t('services'),
      known.map((service) => serviceChoice(services, service)),
    ),
  ];
  const title = vscode.l10n.t('Where do the models come from?');
  const choice = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  await choice?.act?.();
};

function group(title: string, choices: readonly Choice[]): readonly Choice[] {
  const separator = { label: title, kind: vscode.QuickPickItemKind.Separator };
  return choices.length === 0 ? [] : [separator, ...choices];
}

/** A team of every maker that a key is stored for, with the programs that are here. */
function readyTeams(
  services: Services,
  known: readonly KnownService[],
  programs: readonly InstalledProgram[],
): readonly Choice[] {
  const stored = services.memory.keyNames;
  const usable = known.flatMap((service) => {
    const name = service.keyNames.find((each) => stored.includes(each));
    return name === undefined ? [] : [{ ...service, keyNames: [name] as const }];
  });
  const members = mixedTeam(usable);
  const mixed = [...members, ...programMembers(programs)];
  const choice = (label: string, all: readonly Member[]): Choice => ({
    label,
    description: all.map(({ id, model, title }) => title ?? model ?? id).join(', '),
    act: async () => saveTeam(services, label, all),
  });
  return [
    ...(members.length > 1 ? [choice(vscode.l10n.t('Team of Your Keys'), members)] : []),
    ...(programs.length > 0 && mixed.length > 1
      ? [choice(vscode.l10n.t('Team with Your Agent Programs'), mixed)]
      : []),
  ];
}

function programMembers(programs: readonly InstalledProgram[]): readonly Member[] {
  return programs.map(({ title, type, command }) => ({
    title,
    id: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
    type,
    ...(type === 'acp' || isAbsolute(command[0] ?? '') ? { command } : {}),
  }));
}

function programChoice(services: Services, program: InstalledProgram): Choice {
  return {
    label: program.title,
    description: vscode.l10n.t('agent program, found at {0}', program.path),
    act: async () => addProgram(services, program),
  };
}

/** The program is asked for its version once, so that one that cannot run is known before the first task. */
async function addProgram(services: Services, program: InstalledProgram): Promise<void> {
  const { title, path } = program;
  const version = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Asking {0} for its version', title),
    },
    async () => programVersion(path, services.signal),
  );
  if (version === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} at {1} does not tell its version; it may not run.', title, path),
    );
  } else {
    vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: {0} {1}', title, version), 5_000);
  }
  await saveTeam(services, title, programMembers([program]));
}

function serverChoice(services: Services, server: LocalServer): Choice {
  return {
    label: server.name,
    description: vscode.l10n.t('found at {0}, no key needed', new URL(server.baseUrl).host),
    act: async () => addLocalServer(services, server),
  };
}

function lookChoice(services: Services): Choice {
  return {
    label: vscode.l10n.t('Look for a Local Server'),
    description: 'Ollama, LM Studio',
    act: async () => lookForLocalServer(services),
  };
}

function serviceChoice(services: Services, service: KnownService): Choice {
  const { name, keyNames } = service;
  const stored = keyNames.find((each) => services.memory.keyNames.includes(each));
  return {
    label: name,
    description: stored === undefined ? keyNames[0] : vscode.l10n.t('{0}, stored', stored),
    act: async () => addService(services, service),
  };
}

export const selectTeam: CommandAction = async ({ app, host, memory, teams }, [given]) => {
  const all = await teams.list();
  const items = all.map((team) => ({
    label: team.name,
    description: toTeamChoice(team, app)
      .members.map(({ model }) => model)
      .join(', '),
    ...(team.problems[0] === undefined ? {} : { detail: team.problems[0].message }),
    id: team.id,
  }));
  const title = vscode.l10n.t('Which team?');
  const id =
    typeof given === 'string' ? given : (await vscode.window.showQuickPick(items, { title }))?.id;
  if (id !== undefined && all.some((team) => team.id === id)) {
    await memory.setTeamId(id);
    host.setStartFailure(undefined);
  }
};

export const trustTeamFile: CommandAction = async ({ app, host, memory }) => {
  const team = await host.chosenTeam();
  if (team?.config !== undefined) {
    await askForTrust(team, app, memory);
    host.touch();
  }
};

async function addService(services: Services, service: KnownService): Promise<void> {
  const { type, name, keyNames } = service;
  const stored = keyNames.find((each) => services.memory.keyNames.includes(each));
  if (stored === undefined && !(await askForKey(services, keyNames[0]))) {
    return;
  }
  const models = await askForModels(name, service.models);
  if (models.length > 0) {
    const place = { type, keyName: stored ?? keyNames[0] };
    await saveTeam(services, name, membersAt(place, models));
  }
}

async function lookForLocalServer(services: Services): Promise<void> {
  const found = await findLocalServers(services);
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'No local server with a model answers. Start Ollama (port 11434) or LM Studio (port 1234), load a model, and try again.',
      ),
    );
    return;
  }
  const server = await pickServer(found);
  if (server !== undefined) {
    await addLocalServer(services, server);
  }
}

async function addLocalServer(services: Services, server: LocalServer): Promise<void> {
  const models = await pickModels(server);
  if (models.length > 0) {
    const { name, baseUrl } = server;
    await saveTeam(services, name, membersAt({ type: 'chatcompletion', baseUrl }, models));
  }
}

async function findLocalServers({ app, signal }: Services): Promise<readonly LocalServer[]> {
  const servers = await app.detectLocalServers(signal);
  return servers.filter(({ models }) => models.length > 0);
}

async function pickServer(servers: readonly LocalServer[]): Promise<LocalServer | undefined> {
  if (servers.length === 1) {
    return servers[0];
  }
  const items = servers.map((server) => ({
    label: server.name,
    description: server.baseUrl,
    server,
  }));
  const title = vscode.l10n.t('Which server?');
  return (await vscode.window.showQuickPick(items, { title }))?.server;
}

async function pickModels(server: LocalServer): Promise<readonly string[]> {
  const items = server.models.map((label, index) => ({ label, picked: index < 3 }));
  const title = vscode.l10n.t('Models of the team, one agent each');
  const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  return (chosen ?? []).map(({ label }) => label);
}

async function askForModels(
  service: string,
  proposed: readonly string[],
): Promise<readonly string[]> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Models of the team at {0}, one agent each', service),
    prompt: vscode.l10n.t('Names as the service knows them, separated by commas.'),
    value: proposed.join(', '),
    ignoreFocusOut: true,
  });
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Writes an own team file, outside every project, and chooses it. */
async function saveTeam(
  { host, memory, teamFiles }: Services,
  title: string,
  members: readonly Member[],
): Promise<void> {
  await mkdir(teamFiles.ownFolder, { recursive: true });
  const path = await writeBeside(
    join(teamFiles.ownFolder, title.replace(/[^\w.-]+/g, '-')),
    teamText(title, members),
  );
  await memory.setTeamId(`file:${path}`);
  teamFiles.changed();
  host.setStartFailure(undefined);
}

/** Takes the first number whose file is not there or says the same: what the user has made of an earlier one stays. */
async function writeBeside(start: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = `${start}${number === 1 ? '' : `-${number}`}.massgen.yaml`;
    const there = await readFile(path, 'utf8').catch(() => undefined);
    if (there === text) {
      return path;
    }
    if (there === undefined) {
      await writeFile(path, text, { flag: 'wx' });
      return path;
    }
  }
}
