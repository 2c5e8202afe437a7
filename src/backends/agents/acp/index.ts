// `acp`: any agent program that speaks the Agent Client Protocol over its streams.
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MassGenError } from '../../../core/errors';
import type {
  BackendKey,
  BackendSettings,
  ProgramKind,
  ProgramServices,
} from '../../../core/ports/backend-kind';
import type { ModelBackend } from '../../../core/ports/model-backend';
import type { AgentWorkspace } from '../../../core/ports/workspace';
import { AgentBackend } from '../agent-backend';
import { allFilled, commonKeys, mappingOption, promptMsOf, textsOption } from '../options';
import { KeptSignIn } from '../kept-sign-in';
import { ConcealedSignIns } from '../sign-in';
import { checkInstalled, type ProgramStart } from '../start-program';
import { hostOfUrl, hostsOfServers, readyServers } from '../tool-servers';
import { type KnownProgram, knownProgram } from './known-programs';
import { AcpProtocol } from './protocol';

const keys: readonly BackendKey[] = [
  {
    name: 'command',
    type: 'strings',
    isRequired: true,
    description:
      'The program, or a list of the program and its first arguments; found on PATH unless it is a whole path. E.g. `[gemini, --acp]`.',
  },
  { name: 'args', type: 'strings', isRequired: false, description: 'Further arguments.' },
  {
    name: 'env',
    type: 'mapping',
    isRequired: false,
    description:
      'Variables that the program gets; keys as `NAME: ${NAME}`. With an address among them a known program gets no key that is not named here, and not how you are signed in.',
  },
  {
    name: 'model',
    type: 'string',
    isRequired: false,
    description: 'Model that the agent is asked to use; absent: its own choice.',
  },
  {
    name: 'credentials',
    type: 'strings',
    isRequired: false,
    description:
      'Files or folders of the home folder that the program may see and change, because it keeps there how it is signed in. Known programs need none.',
  },
  ...commonKeys,
];

/** `home`: the folder in which programs keep how they are signed in; absent: that of the user. */
export function createAcpKind(home: string = homedir()): ProgramKind {
  return {
    isProgram: true,
    type: 'acp',
    title: 'Agent Client Protocol',
    description:
      'An agent program of another maker, such as Gemini CLI, OpenCode or Goose; needs it installed and signed in.',
    keys,
    defaultModel: '',
    hostOf,
    keyNamesOf: () => [],
    familyOf: (settings) => factsOf(settings).family,
    titleOf: (settings) => factsOf(settings).title,
    priceOf: () => undefined,
    refusalOf: (settings) => (commandOf(settings).length === 0 ? missingCommand() : undefined),
    commandOf,
    givenKeysOf: (settings) => givenKeysOf(factsOf(settings), settings),
    createIn: async (workspace, settings, services, signal) =>
      createIn({ home, workspace, settings, services }, signal),
  };
}

interface Creation {
  readonly home: string;
  readonly workspace: AgentWorkspace;
  readonly settings: BackendSettings;
  readonly services: ProgramServices;
}

async function createIn(
  { home, workspace, settings, services }: Creation,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const { options, model } = settings;
  const [program, ...first] = commandOf(settings);
  if (program === undefined) {
    throw missingCommand();
  }
  const known = factsOf(settings);
  const modelArgs = model === '' ? [] : (known.modelArgs?.(model) ?? []);
  const start: ProgramStart = {
    ...{ facts: known, workspace },
    command: [program, ...first, ...modelArgs],
    environment: await environmentOf(known, settings, services),
    named: mappingOption(options, 'env'),
    ownFolders: await credentialsOf(known, settings, home),
    hosts: [...hostsOf(known, settings), ...hostsOfServers(services.toolServers)],
  };
  const signIns = new ConcealedSignIns(start.ownFolders, services.conceal ?? (() => undefined));
  await signIns.look();
  const kept = await KeptSignIn.at(start.ownFolders);
  const servers = await readyServers(services);
  await checkInstalled(start, signal);
  const asked = model === '' || modelArgs.length > 0 ? undefined : model;
  const hasKey = known.keyNames.some((name) => name in start.environment);
  const protocol = new AcpProtocol({
    ...{ start, servers, signIns, kept, model: asked, promptMs: promptMsOf(options) },
    signInMethod: known.signInMethod?.(hasKey),
  });
  return new AgentBackend({ protocol, clock: services.clock, logger: services.logger });
}

function commandOf({ options }: BackendSettings): readonly string[] {
  return [...textsOption(options, 'command'), ...textsOption(options, 'args')];
}

function factsOf(settings: BackendSettings): KnownProgram {
  return knownProgram(commandOf(settings));
}

function hostOf(settings: BackendSettings): string | undefined {
  return hostsOf(factsOf(settings), settings)[0];
}

/** Addresses among its variables are where it is to go instead of its own service. */
function namedHosts({ options }: BackendSettings): readonly string[] {
  const values = Object.values(mappingOption(options, 'env'));
  return values.map(hostOfUrl).filter((host) => host !== undefined);
}

/** Whether it goes to its own service alone, for which its usual key is, and how the user is signed in. */
function isAtOwn(known: KnownProgram, settings: BackendSettings): boolean {
  return namedHosts(settings).every((host) => known.hosts.some((own) => `${own}:443` === host));
}

function givenKeysOf(known: KnownProgram, settings: BackendSettings): readonly string[] {
  const named = mappingOption(settings.options, 'env');
  const isSaid = known.keyNames.some((name) => name in named);
  return isSaid || !isAtOwn(known, settings) ? [] : known.keyNames;
}

function hostsOf(known: KnownProgram, settings: BackendSettings): readonly string[] {
  const { options } = settings;
  const named = namedHosts(settings);
  const own = named.length > 0 ? named : known.hosts;
  return [...own, ...textsOption(options, 'hosts')];
}

/** The usual key of a known program is handed on when nothing is said about its variables. */
async function environmentOf(
  known: KnownProgram,
  settings: BackendSettings,
  { secrets }: ProgramServices,
): Promise<Readonly<Record<string, string>>> {
  const named = await allFilled(mappingOption(settings.options, 'env'), secrets);
  const usual: Record<string, string> = {};
  for (const name of givenKeysOf(known, settings)) {
    const value = await secrets.get(name);
    if (value !== undefined) {
      usual[name] = value;
      break;
    }
  }
  return { ...known.environment, ...usual, ...named };
}

async function credentialsOf(
  known: KnownProgram,
  settings: BackendSettings,
  home: string,
): Promise<readonly string[]> {
  const kept = isAtOwn(known, settings) ? known.credentials : [];
  const own = kept.map((path) => join(home, path));
  const isThere = await Promise.all(
    own.map(async (path) =>
      stat(path)
        .then(() => true)
        .catch(() => false),
    ),
  );
  const named = textsOption(settings.options, 'credentials').map((path) =>
    path.startsWith('~/') ? join(home, path.slice(2)) : path,
  );
  return [...own.filter((_path, i) => isThere[i] === true), ...named];
}

function missingCommand(): MassGenError {
  return new MassGenError('config/invalid', 'An agent of the type acp needs a command.', {
    hint: 'Write e.g. command: [gemini, --acp].',
  });
}
