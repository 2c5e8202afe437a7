// What is known of agents that speak the protocol. Facts as data; any other agent works with its own keys in the team file.
import { basename } from 'node:path';

export interface KnownProgram {
  readonly title: string;
  /** Hosts of its own service, the first one receives the prompts. */
  readonly hosts: readonly string[];
  /** Files in the user's home that hold how it is signed in, relative. */
  readonly credentials: readonly string[];
  /** Variables that can hold its key. */
  readonly keyNames: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Way of signing in that needs nobody, when the agent asks for one; absent: there is none. */
  readonly signInMethod?: (hasKey: boolean) => string;
  /** Arguments that choose a model; absent: it is asked over the protocol. */
  readonly modelArgs?: (model: string) => readonly string[];
  readonly family: string;
  readonly installHint: string;
  readonly signInHint: string;
}

/** Agents, by the name that they give themselves, whose counts of tokens are of one prompt and not of the session. */
export const countEachPrompt: ReadonlySet<string> = new Set([
  '@agentclientprotocol/claude-agent-acp',
]);

const programs: Readonly<Record<string, KnownProgram>> = {
  gemini: {
    title: 'Gemini CLI',
    hosts: [
      'generativelanguage.googleapis.com',
      ...['cloudcode-pa.googleapis.com', 'oauth2.googleapis.com', 'www.googleapis.com'],
    ],
    credentials: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json'],
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    environment: {
      // It would start itself again, with more memory, and wait in vain for what it started.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // It uses no servers of tools in a folder that it does not know. What a repository sets up then stays in the confinement.
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    signInMethod: (hasKey) => (hasKey ? 'gemini-api-key' : 'oauth-personal'),
    modelArgs: (model) => ['--model', model],
    family: 'gemini',
    installHint: 'Install it with `npm install -g @google/gemini-cli`, or correct `command`.',
    signInHint:
      'Start `gemini` in a terminal and sign in, or name a key under `env`, e.g. GEMINI_API_KEY: ${GEMINI_API_KEY}.',
  },
  opencode: {
    title: 'OpenCode',
    hosts: ['opencode.ai', 'models.dev', 'api.opencode.ai'],
    credentials: ['.local/share/opencode/auth.json'],
    keyNames: [],
    environment: {},
    family: '',
    installHint: 'Install it with `npm install -g opencode-ai`, or correct `command`.',
    signInHint: 'Run `opencode auth login` in a terminal.',
  },
  goose: {
    title: 'Goose',
    hosts: [],
    credentials: ['.config/goose/config.yaml', '.config/goose/secrets.yaml'],
    keyNames: [],
    environment: {},
    family: '',
    installHint: 'Install Goose, or correct `command`.',
    signInHint:
      'Run `goose configure` in a terminal, and list the hosts of its service under `hosts`.',
  },
};

/** What starts a script or a package, which then has the name. */
const starters = /^(node|bun|bunx|deno|npx|uvx|python3?)$/;

/** Facts about the program that a command starts, also about one that nothing is known of. */
export function knownProgram(command: readonly string[]): KnownProgram {
  const [program = '', ...words] = command.map((word, i) =>
    i > 0 && word.startsWith('-') ? '' : basename(word).replace(/\.(exe|cmd)$/, ''),
  );
  const started = starters.test(program) ? words.find((word) => word !== '') : undefined;
  const name = started ?? program;
  return (
    programs[program] ?? {
      title: name,
      ...{ hosts: [], credentials: [], keyNames: [], environment: {}, family: '' },
      installHint: 'Install it, or correct `command` in the block of the agent.',
      signInHint: `Start ${name} in a terminal and sign in, or give it a key under \`env\`.`,
    }
  );
}
