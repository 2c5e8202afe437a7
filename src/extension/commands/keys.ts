// Keys live in the editor's secret storage, under the names of their variables.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { readRegularFile } from '../../app/read-regular-file';
import { keyNamesOf as keyNamesOfKinds, keyTitles, knownServices } from '../../app/services-table';
import { ownValue } from '../../base/own-value';
import type { Team } from '../host/teams';
import type { CommandAction, Services } from '../services';
import { testKey } from './test-key';

export const setApiKey: CommandAction = async (services, [given]) => {
  const name = typeof given === 'string' ? given : await pickName(services, { isOpen: true });
  if (name !== undefined && (await askForKey(services, name))) {
    services.host.touch();
  }
};

/** For a key that the chosen team lacks: only when several could be meant, the user is asked which. */
export const setKeyOfTeam: CommandAction = async (services) => {
  const { app, host, memory } = services;
  const names = new Set(keyNamesOf(app, await host.chosenTeam()));
  const missing = [...names].filter((name) => !memory.keyNames.includes(name));
  const wanted = missing.length > 0 ? missing : [...names];
  const name = wanted.length > 1 ? await pickOne(services, wanted) : wanted[0];
  if (name === undefined) {
    if (wanted.length === 0) await setApiKey(services, []);
    return;
  }
  if (await askForKey(services, name)) {
    host.setStartFailure(undefined);
  }
};

export const testApiKey: CommandAction = async (services, [given]) => {
  const name = typeof given === 'string' ? given : await pickName(services, { isOpen: false });
  if (name !== undefined) {
    await testKey(services, name);
  }
};

export const removeApiKey: CommandAction = async (services, [given]) => {
  const name = typeof given === 'string' ? given : await pickName(services, { isOpen: false });
  if (name !== undefined) {
    await services.secrets.remove(name);
    services.host.touch();
    vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: {0} removed', name), 5_000);
  }
};

/** Asks for a key, or offers the one that the environment has; `true` when one was stored. */
export async function askForKey({ secrets }: Services, name: string): Promise<boolean> {
  const found = await findKey(name);
  const type = vscode.l10n.t('Enter the Key');
  const title = vscode.l10n.t('Key for {0}', name);
  if (found !== undefined) {
    const take = vscode.l10n.t('Import It from {0}', found.source);
    const choice = await vscode.window.showQuickPick([take, type], { title });
    if (choice === undefined) {
      return false;
    }
    if (choice === take) {
      return keep(secrets, name, found.value);
    }
  }
  const value = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'It is kept in the editor’s secret storage and sent to its provider only.',
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined || value.trim() === '') {
    return false;
  }
  return keep(secrets, name, value.trim());
}

async function keep(secrets: Services['secrets'], name: string, value: string): Promise<true> {
  await secrets.set(name, value);
  vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: {0} stored', name), 5_000);
  return true;
}

/** A key in the environment or in a `.env` of a trusted window. Nothing but this one name is read from there. */
async function findKey(
  name: string,
): Promise<{ readonly source: string; readonly value: string } | undefined> {
  const inEnvironment = ownValue(process.env, name);
  if (inEnvironment !== undefined && inEnvironment !== '') {
    return { source: vscode.l10n.t('the Environment'), value: inEnvironment };
  }
  for (const { uri } of vscode.workspace.isTrusted
    ? (vscode.workspace.workspaceFolders ?? [])
    : []) {
    const value =
      uri.scheme === 'file' ? await readEnvFile(join(uri.fsPath, '.env'), name) : undefined;
    if (value !== undefined) {
      return { source: '.env', value };
    }
  }
  return undefined;
}

const maxEnvBytes = 1024 * 1024;

async function readEnvFile(path: string, name: string): Promise<string | undefined> {
  const bytes = await readRegularFile(path, maxEnvBytes).catch(() => undefined);
  const text = new TextDecoder().decode(bytes);
  const prefix = `${name}=`;
  const line = text
    .split(/\r?\n/)
    .map((each) => each.trim().replace(/^export\s+/, ''))
    .find((each) => each.startsWith(prefix));
  const value = line
    ?.slice(prefix.length)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return value === '' ? undefined : value;
}

async function pickName(
  services: Services,
  { isOpen }: { readonly isOpen: boolean },
): Promise<string | undefined> {
  const stored = services.memory.keyNames;
  if (!isOpen && stored.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No key is stored.'));
    return undefined;
  }
  return isOpen ? pickAny(services) : pickOne(services, stored);
}

type NameItem = vscode.QuickPickItem & { readonly name?: string };

/** What the teams of this window use stands first, then what is stored, then every service. */
async function pickAny(services: Services): Promise<string | undefined> {
  const { app, clock, memory, teams } = services;
  const stored = memory.keyNames;
  const used = (await teams.list()).flatMap((team) => keyNamesOf(app, team));
  const known = knownServices(app.backendKinds, clock.now());
  const shown = new Set<string>();
  const group = (title: string, names: readonly string[]): readonly NameItem[] => {
    const fresh = [...new Set(names)].filter((name) => !shown.has(name));
    fresh.forEach((name) => shown.add(name));
    const separator = { label: title, kind: vscode.QuickPickItemKind.Separator };
    return fresh.length === 0 ? [] : [separator, ...fresh.map((name) => toItem(name))];
  };
  const toItem = itemsFor(services);
  const items: readonly NameItem[] = [
    ...group(vscode.l10n.t('used by your teams'), used),
    ...group(vscode.l10n.t('stored'), stored),
    ...group(
      vscode.l10n.t('services'),
      known.map(({ keyNames: [first] }) => first),
    ),
    ...group(vscode.l10n.t('other names'), keyNamesOfKinds(app.backendKinds)),
    { label: vscode.l10n.t('Another Name…'), description: '' },
  ];
  const choice = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which key?'),
    matchOnDescription: true,
  });
  return choice === undefined ? undefined : (choice.name ?? askForName());
}

/** A name with its service, and whether a key is stored for it. */
function itemsFor({ app, memory }: Services): (name: string) => NameItem {
  const titles = keyTitles(app.backendKinds);
  return (name) => {
    const stored = memory.keyNames.includes(name) ? vscode.l10n.t('stored') : [];
    return { label: name, description: [titles.get(name) ?? [], stored].flat().join(', '), name };
  };
}

/** Names of the variables in which the team expects its keys, the usual ones of known services included. */
function keyNamesOf(app: App, team: Team | undefined): readonly string[] {
  return team?.config === undefined
    ? []
    : app.describeEgress(team.config).hosts.flatMap(({ keys }) => keys.map(({ name }) => name));
}

async function pickOne(services: Services, names: readonly string[]): Promise<string | undefined> {
  const items = [...new Set(names)].map(itemsFor(services));
  const title = vscode.l10n.t('Which key?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.name;
}

async function askForName(): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the variable'),
    placeHolder: 'MY_SERVICE_API_KEY',
    validateInput: (text) =>
      /^[A-Z_][A-Z0-9_]*$/i.test(text)
        ? undefined
        : vscode.l10n.t('Letters, digits and _ only, not beginning with a digit.'),
  });
}
