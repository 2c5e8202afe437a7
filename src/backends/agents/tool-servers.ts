// Servers of tools that a program starts by itself, in its own view.
import { MassGenError } from '../../core/errors';
import type { ProgramServices, ToolServerConfig } from '../../core/ports/backend-kind';
import type { Secrets } from '../../core/ports/secrets';
import { bridgeName } from './bridge/mcp-answers';
import { allFilled, filled } from './options';

/** A server with its secrets in place. */
export type ReadyServer = Pick<ToolServerConfig, 'name' | 'allowedTools' | 'excludedTools'> &
  (
    | {
        readonly type: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
      }
    | {
        readonly type: 'http' | 'sse';
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
      }
  );

/** Throws `config/missing-secret`, and `config/invalid` for a name by which a program could take its tools for others. */
export async function readyServers({
  toolServers,
  secrets,
}: Pick<ProgramServices, 'toolServers' | 'secrets'>): Promise<readonly ReadyServer[]> {
  const odd = toolServers.find(({ name }) => !isClear(name));
  if (odd !== undefined) {
    throw new MassGenError(
      'config/invalid',
      `A server of an agent program cannot be called ${odd.name}.`,
      {
        hint: `Choose a name that is not ${bridgeName} and has no underscore at its ends and no two in a row.`,
      },
    );
  }
  return Promise.all(toolServers.map((server) => ready(server, secrets)));
}

/** Programs call tools `mcp__SERVER__TOOL`, and nobody is asked about those of the bridge. */
function isClear(name: string): boolean {
  return name.toLowerCase() !== bridgeName && !name.includes('__') && !/^_|_$/.test(name);
}

async function ready(server: ToolServerConfig, secrets: Secrets): Promise<ReadyServer> {
  const { name, transport, allowedTools, excludedTools } = server;
  const about = { name, excludedTools, ...(allowedTools === undefined ? {} : { allowedTools }) };
  if (transport.type !== 'stdio') {
    const url = await filled(transport.url, secrets);
    return {
      ...about,
      type: transport.type,
      url,
      headers: await allFilled(transport.headers, secrets),
    };
  }
  const [program, ...args] = await Promise.all(
    transport.command.map((part) => filled(part, secrets)),
  );
  const environment = await allFilled(transport.environment, secrets);
  const { cwd } = transport;
  return cwd === undefined
    ? { ...about, type: 'stdio', command: program ?? '', args, environment }
    : {
        ...{ ...about, type: 'stdio', command: '/bin/sh', environment },
        // Programs start servers in their own folder only.
        args: ['-c', 'cd "$0" && exec "$@"', cwd, program ?? '', ...args],
      };
}

/** Hosts that the servers may reach, for the one list that a program and its servers share. */
export function hostsOfServers(servers: readonly ToolServerConfig[]): readonly string[] {
  return servers.flatMap(({ hosts = [], transport }) => {
    const url = transport.type === 'stdio' ? undefined : hostOfUrl(transport.url);
    return url === undefined ? hosts : [...hosts, url];
  });
}

/** `host:port` of an address of the web, `undefined` for any other text. */
export function hostOfUrl(text: string): string | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const { hostname, port, protocol } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return undefined;
  }
  return `${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`;
}
