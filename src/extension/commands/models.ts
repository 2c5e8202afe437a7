// The ways to a real model: the editor's own, a key, or a server on this machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LocalServer } from '../../app/app-contract';
import { type KnownService, knownServices, teamText } from '../host/services-table';
import { askForTrust } from '../host/team-trust';
import { editorTeamId } from '../host/teams';
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

/** Servers that run on this machine stand first; they are looked for each time the list is opened. */
export const addKeyOrServer: CommandAction = async (services) => {
  const local = vscode.l10n.t('Look for a Local Server');
  const found = await findLocalServers(services);
  const items = [
    ...found.map((server) => ({
      label: server.name,
      description: vscode.l10n.t('found at {0}, no key needed', new URL(server.baseUrl).host),
      server,
      service: undefined,
    })),
    ...knownServices.map((service) => ({
      label: service.name,
      description: service.keyName,
      server: undefined,
      service,
    })),
    ...(found.length > 0
      ? []
      : [
          { label: local, description: 'Ollama, LM Studio', server: undefined, service: undefined },
        ]),
  ];
  const title = vscode.l10n.t('Where do the models come from?');
  const choice = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (choice?.service !== undefined) {
    await addService(services, choice.service);
  } else if (choice?.server !== undefined) {
    await addLocalServer(services, choice.server);
  } else if (choice !== undefined) {
    await lookForLocalServer(services);
  }
};

export const selectTeam: CommandAction = async ({ host, memory, teams }, [given]) => {
  const all = await teams.list();
  const items = all.map((team) => ({
    label: team.name,
    description: (team.config?.agents ?? []).map(({ backend }) => backend.model).join(', '),
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
  if (!(await askForKey(services, service.keyName))) {
    return;
  }
  const models = await askForModels(service.name, service.models);
  if (models.length > 0) {
    const { baseUrl, keyName } = service;
    await saveTeam(services, { title: service.name, baseUrl, keyName, models });
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
    const { name: title, baseUrl } = server;
    await saveTeam(services, { title, baseUrl, keyName: undefined, models });
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

/** Three agents when there is a choice; one model three times is a team as well. */
async function pickModels(server: LocalServer): Promise<readonly string[]> {
  const items = server.models.map((label, index) => ({ label, picked: index < 3 }));
  const title = vscode.l10n.t('Models of the team, one agent each');
  const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  const models = (chosen ?? []).map(({ label }) => label);
  const [only] = models;
  return models.length === 1 && only !== undefined ? [only, only, only] : models;
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
  team: Parameters<typeof teamText>[0],
): Promise<void> {
  await mkdir(teamFiles.ownFolder, { recursive: true });
  const path = join(teamFiles.ownFolder, `${team.title.replace(/[^\w.-]+/g, '-')}.massgen.yaml`);
  await writeFile(path, teamText(team));
  await memory.setTeamId(`file:${path}`);
  teamFiles.changed();
  host.setStartFailure(undefined);
}
