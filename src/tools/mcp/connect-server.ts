import { onAbort, raceAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import { Expander } from './expand';
import { programPipe } from './program-pipe';
import type { OpenedConnection } from './server';
import type { ServerLog } from './server-log';
import type { McpSourceOptions } from './source-parts';
import { startServerProgram } from './start-program';
import { tokenHint } from './sign-in/sign-in';
import { serverFetch } from './web-fetch';
import type { ConnectionListeners, ServerWay } from './wire';

export interface ConnectParts extends Omit<McpSourceOptions, 'servers' | 'memory' | 'onChange'> {
  readonly log: ServerLog;
  readonly listeners: ConnectionListeners;
  /** Aborts when the server must end. */
  readonly life: AbortSignal;
}

/** Starts or reaches a server and greets it. Throws `config/missing-secret`, `tool/*` and `cancelled/*`. */
export async function connectServer(
  config: ToolServerConfig,
  parts: ConnectParts,
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const { connect } = await import('./client.lazy');
  parts.log.begin();
  const { way, isConfined } = await wayTo(config, parts, signal);
  const connection = await connect(way, parts.version, parts.listeners, signal);
  return { connection, isConfined };
}

interface FoundWay {
  readonly way: ServerWay;
  readonly isConfined: boolean;
}

async function wayTo(
  config: ToolServerConfig,
  parts: ConnectParts,
  signal: AbortSignal,
): Promise<FoundWay> {
  const { workspace, secrets, userHome, log } = parts;
  const roots = workspace.roots;
  const project = roots.find(({ kind }) => kind === 'context') ?? roots[0];
  const workspaceFolder = project?.shownPath ?? '/';
  const cwd = roots.find(({ kind }) => kind === 'private')?.shownPath ?? workspaceFolder;
  const expander = new Expander(secrets, { workspaceFolder, userHome, cwd });
  const { transport } = config;
  if (transport.type !== 'stdio') {
    return toWeb(transport, { config, expander, parts });
  }
  const starting = startServerProgram(
    config,
    transport,
    { ...parts, expander, workspaceFolder },
    parts.life,
  );
  // A program that starts too late is not wanted any more.
  const late = onAbort(signal, () => {
    void starting.then(async ({ program }) => program.stop()).catch(() => undefined);
  });
  try {
    const { program, isConfined } = await raceAbort(starting, signal);
    program.onOutput('stderr', (bytes) => log.bytes(bytes));
    return {
      way: {
        type: 'pipe',
        pipe: programPipe(program, (line) => log.line(line), parts.mostUnasked),
      },
      isConfined,
    };
  } finally {
    late.dispose();
  }
}

type Web = Exclude<ToolServerConfig['transport'], { readonly type: 'stdio' }>;

async function toWeb(
  transport: Web,
  of: {
    readonly config: ToolServerConfig;
    readonly expander: Expander;
    readonly parts: ConnectParts;
  },
): Promise<FoundWay> {
  const { config, expander, parts } = of;
  const written = new URL(transport.url);
  const filled = await expander.text(transport.url);
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  if (url?.origin !== written.origin) {
    throw new MassGenError('config/invalid', 'A variable must not change where a server is.');
  }
  const headers = await expander.members(transport.headers);
  const isLocalAllowed = config.isLocalAllowed === true;
  const { openAddresses, signInTo } = parts;
  const plain = serverFetch({ origin: url.origin, headers, isLocalAllowed, openAddresses });
  const hasKey = new Headers(Object.keys(headers).map((name) => [name, ''])).has('authorization');
  const signIn = hasKey ? undefined : signInTo?.({ server: config.name, url, isLocalAllowed });
  const fetch = signIn === undefined ? tellingRefusal(plain, hasKey) : signIn.through(plain);
  return { way: { type: transport.type, url, fetch }, isConfined: false };
}

type Fetch = ReturnType<typeof serverFetch>;

/** Nobody can sign in here, so that all depends on what stands in the entry of the server. */
function tellingRefusal(fetch: Fetch, hasKey: boolean): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status !== 401) {
      return response;
    }
    await response.body?.cancel();
    throw hasKey
      ? new MassGenError(
          'tool/denied',
          'It does not accept the Authorization header of its entry.',
          {
            hint: 'Look whether the key in it is still valid.',
          },
        )
      : new MassGenError('tool/denied', 'It answers nobody whom it does not know.', {
          hint: tokenHint,
        });
  };
}
