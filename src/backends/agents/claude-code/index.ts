// `claude_code`: Claude Code, the agent program of Anthropic.
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
import { notSignedIn, type ProgramFacts } from '../faults';
import { commonKeys, numberOption, textOption, textsOption } from '../options';
import { type LoadedAccess, isAtMaker, loadAccess, noKey, serviceHosts } from '../program-access';
import { ConcealedSignIns } from '../sign-in';
import { checkInstalled, type ProgramStart } from '../start-program';
import { StateFolder } from '../state-folder';
import { hostsOfServers, readyServers } from '../tool-servers';
import { permissionModes } from './arguments';
import { ClaudeProtocol } from './protocol';

const facts: ProgramFacts = {
  title: 'Claude Code',
  installHint:
    'Install it with `npm install -g @anthropic-ai/claude-code`, or give its path as `command`.',
  signInHint: 'Start `claude` in a terminal and sign in, or name a key with api_key.',
};

const ownHosts = ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', 'claude.ai'];
const usualKey = 'ANTHROPIC_API_KEY';

const keys: readonly BackendKey[] = [
  text('model', 'Model, or `opus`, `sonnet`, `haiku`; absent: the choice of the program.'),
  {
    name: 'command',
    type: 'strings',
    isRequired: false,
    description: 'The program, when `claude` is not on PATH or another one is wanted.',
  },
  {
    name: 'api_key',
    type: 'secret',
    isRequired: false,
    description: `Variable that holds the key, as \`\${NAME}\`; absent: ${usualKey} if there is one, else how the program is signed in.`,
  },
  {
    name: 'base_url',
    type: 'url',
    isRequired: false,
    description:
      "Address of another service that speaks the same protocol, which gets no key but that of api_key; absent: Anthropic's.",
  },
  {
    name: 'permission_mode',
    type: 'string',
    isRequired: false,
    values: permissionModes,
    description: 'What the program asks before it acts; `acceptEdits` when absent.',
  },
  list('allowed_tools', 'Names of its own tools that it has; absent: all.'),
  list(
    'disallowed_tools',
    'Tools, or rules such as `Bash(rm:*)`, that it does not have; absent: the commands rm, sudo, su, chmod and chown.',
  ),
  count('max_thinking_tokens', 'Longest thinking of one response in tokens.'),
  count('max_turns', 'Largest number of its own steps in one prompt.'),
  text('cwd', 'Accepted for compatibility: every agent works in its own view of the folders.'),
  ...commonKeys,
];

function text(name: string, description: string): BackendKey {
  return { name, type: 'string', isRequired: false, description };
}

function list(name: string, description: string): BackendKey {
  return { name, type: 'strings', isRequired: false, description };
}

function count(name: string, description: string): BackendKey {
  return { name, type: 'integer', isRequired: false, minimum: 1, description };
}

/** `home`: where the program keeps how it is signed in; absent: that of the user. `platform`: absent: that of this machine. */
export function createClaudeCodeKind(
  home: string = homedir(),
  platform: NodeJS.Platform = process.platform,
): ProgramKind {
  return {
    isProgram: true,
    type: 'claude_code',
    title: 'Claude Code',
    description: 'The agent program of Anthropic; needs it installed, and signed in or a key.',
    keys,
    defaultModel: '',
    hostOf: (settings) => hostsOf(settings)[0],
    keyNamesOf: () => [],
    familyOf: () => 'claude',
    priceOf: () => undefined,
    refusalOf: () => undefined,
    commandOf,
    givenKeysOf: (settings) =>
      settings.apiKeyName === undefined && isAtMaker(settings, ownHosts) ? [usualKey] : [],
    createIn: async (workspace, settings, services, signal) =>
      createIn({ home, platform, workspace, settings, services }, signal),
  };
}

interface Creation {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly workspace: AgentWorkspace;
  readonly settings: BackendSettings;
  readonly services: ProgramServices;
}

async function createIn(
  { home, platform, workspace, settings, services }: Creation,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const isHome = isAtMaker(settings, ownHosts);
  const access = await loadAccess(settings, isHome ? usualKey : undefined, services, signal);
  const servers = await readyServers(services);
  const path = join(home, '.claude', '.credentials.json');
  const credential = { path, name: '.credentials.json' };
  const needsSignIn = access.key === undefined && isHome;
  const state = await StateFolder.create(home, 'claude', credential, needsSignIn);
  const signIns = new ConcealedSignIns(state.signIns, services.conceal ?? (() => undefined));
  try {
    // Only the program itself can tell then whether it is signed in.
    const isInKeychain = platform === 'darwin' && needsSignIn && !state.isSignedIn;
    if (needsSignIn && !state.isSignedIn && !isInKeychain) {
      throw notSignedIn(facts, '');
    }
    await signIns.look();
    const start: ProgramStart = {
      ...{ facts, workspace, command: commandOf(settings) },
      environment: {
        ...environmentOf(settings, access, state),
        // Without this it would look for a sign-in of its present settings folder alone.
        ...(isInKeychain ? { CLAUDE_SECURESTORAGE_CONFIG_DIR: '' } : {}),
      },
      // Without this it does not work for the administrator of a machine.
      confinedEnvironment: { IS_SANDBOX: '1' },
      ownFolders: state.ownFolders,
      hosts: [...hostsOf(settings), ...hostsOfServers(services.toolServers)],
    };
    await checkInstalled(start, signal);
    const protocol = new ClaudeProtocol({ start, settings, servers, state, signIns });
    return new AgentBackend({ protocol, clock: services.clock, logger: services.logger });
  } catch (error) {
    await state.remove();
    throw error;
  }
}

function commandOf({ options }: BackendSettings): readonly [string, ...string[]] {
  const [program = 'claude', ...args] = textsOption(options, 'command');
  return [program, ...args];
}

function hostsOf(settings: BackendSettings): readonly string[] {
  return serviceHosts(settings, ownHosts);
}

/** It is kept from everything that has nothing to do with its turn. */
function environmentOf(
  settings: BackendSettings,
  { key }: LoadedAccess,
  state: StateFolder,
): Readonly<Record<string, string>> {
  const { options } = settings;
  const usual = isAtMaker(settings, ownHosts) ? undefined : noKey;
  const apiKey = key?.value ?? usual;
  const baseUrl = textOption(options, 'base_url');
  const thinking = numberOption(options, 'max_thinking_tokens');
  return {
    CLAUDE_CONFIG_DIR: state.path,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // What ends later would begin a turn that nobody asked for.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    ...{ DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1' },
    ...(apiKey === undefined ? {} : { ANTHROPIC_API_KEY: apiKey }),
    ...(baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
    ...(thinking === undefined ? {} : { MAX_THINKING_TOKENS: String(thinking) }),
  };
}
