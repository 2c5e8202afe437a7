// `codex`: Codex, the agent program of OpenAI.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type {
  BackendKey,
  BackendSettings,
  ProgramKind,
  ProgramServices,
} from '../../../core/ports/backend-kind';
import type { ModelBackend } from '../../../core/ports/model-backend';
import type { AgentWorkspace } from '../../../core/ports/workspace';
import { AgentBackend } from '../agent-backend';
import { type AgentProtocol, agentCapabilities } from '../agent-session';
import { notSignedIn, type ProgramFacts } from '../faults';
import { commonKeys, promptMsOf, textsOption } from '../options';
import { isAtMaker, loadAccess, noKey, serviceHosts } from '../program-access';
import { ConcealedSignIns } from '../sign-in';
import { checkInstalled, type ProgramStart } from '../start-program';
import { StateFolder } from '../state-folder';
import { hostsOfServers, type ReadyServer, readyServers } from '../tool-servers';
import { CodexSession } from './session';
import { ThreadUsage } from './thread-usage';

const facts: ProgramFacts = {
  title: 'Codex',
  installHint: 'Install it with `npm install -g @openai/codex`, or give its path as `command`.',
  signInHint: 'Run `codex login` in a terminal, or name a key with api_key.',
};

const ownHosts = ['api.openai.com', 'chatgpt.com', 'auth.openai.com'];
const usualKeys = ['CODEX_API_KEY', 'OPENAI_API_KEY'] as const;
const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh'];

const keys: readonly BackendKey[] = [
  {
    name: 'model',
    type: 'string',
    isRequired: false,
    description: 'Model; absent: the choice of the program.',
  },
  {
    name: 'command',
    type: 'strings',
    isRequired: false,
    description: 'The program, when `codex` is not on PATH or another one is wanted.',
  },
  {
    name: 'api_key',
    type: 'secret',
    isRequired: false,
    description: `Variable that holds the key, as \`\${NAME}\`; absent: ${usualKeys.join(' or ')} if there is one, else how the program is signed in.`,
  },
  {
    name: 'base_url',
    type: 'url',
    isRequired: false,
    description:
      "Address of another service that speaks Responses, which gets no key but that of api_key; absent: OpenAI's.",
  },
  {
    name: 'reasoning_effort',
    type: 'string',
    isRequired: false,
    values: efforts,
    description: 'How much the model may think.',
  },
  ...commonKeys,
];

/** `home`: where the program keeps how it is signed in; absent: that of the user. */
export function createCodexKind(home: string = homedir()): ProgramKind {
  return {
    isProgram: true,
    type: 'codex',
    title: 'Codex',
    description: 'The agent program of OpenAI; needs it installed, and signed in or a key.',
    keys,
    defaultModel: '',
    hostOf: (settings) => serviceHosts(settings, ownHosts)[0],
    keyNamesOf: () => [],
    familyOf: () => 'gpt',
    priceOf: () => undefined,
    refusalOf: () => undefined,
    commandOf,
    givenKeysOf: (settings) =>
      settings.apiKeyName === undefined && isAtMaker(settings, ownHosts) ? usualKeys : [],
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
  const isHome = isAtMaker(settings, ownHosts);
  const [first, second] = isHome ? usualKeys : [];
  const key =
    (await loadAccess(settings, first, services, signal)).key ??
    (await loadAccess(settings, second, services, signal)).key;
  const apiKey = key?.value ?? (isHome ? undefined : noKey);
  const servers = await readyServers(services);
  const credential = { path: join(home, '.codex', 'auth.json'), name: 'auth.json' };
  const state = await StateFolder.create(home, 'codex', credential, apiKey === undefined);
  const signIns = new ConcealedSignIns(state.signIns, services.conceal ?? (() => undefined));
  try {
    if (apiKey === undefined && !state.isSignedIn) {
      throw notSignedIn(facts, '');
    }
    await signIns.look();
    const start: ProgramStart = {
      ...{ facts, workspace, command: commandOf(settings), ownFolders: state.ownFolders },
      environment: {
        CODEX_HOME: state.path,
        ...(apiKey === undefined ? {} : { CODEX_API_KEY: apiKey }),
      },
      hosts: [...serviceHosts(settings, ownHosts), ...hostsOfServers(services.toolServers)],
    };
    await checkInstalled(start, signal);
    const protocol = protocolOf({ start, settings, servers, state, signIns });
    return new AgentBackend({ protocol, clock: services.clock, logger: services.logger });
  } catch (error) {
    await state.remove();
    throw error;
  }
}

function protocolOf(parts: {
  readonly start: ProgramStart;
  readonly settings: BackendSettings;
  readonly servers: readonly ReadyServer[];
  readonly state: StateFolder;
  readonly signIns: ConcealedSignIns;
}): AgentProtocol {
  const { settings, state, signIns } = parts;
  const used = new ThreadUsage();
  return {
    title: facts.title,
    capabilities: { ...agentCapabilities, media: [] },
    promptMs: promptMsOf(settings.options),
    open: async (place, id) => new CodexSession({ ...parts, place, id, used }),
    concealNew: async () => signIns.look(),
    close: async () => state.remove(),
  };
}

function commandOf({ options }: BackendSettings): readonly [string, ...string[]] {
  const [program = 'codex', ...args] = textsOption(options, 'command');
  return [program, ...args];
}
