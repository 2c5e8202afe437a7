// The servers of one agent as a source of its tools.
import { MassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { ToolSource } from '../../core/ports/tool';
import { connectServer } from './connect-server';
import type { Listed } from './list';
import { serverPrefixes } from './names';
import { McpServer } from './server';
import { ServerLog } from './server-log';
import type { SignIn } from './sign-in/sign-in';
import type { McpSourceOptions } from './source-parts';
import { entryHash, toolHash } from './tool-memory';

/** The first turn waits so long for its servers; what takes longer comes with a later turn. */
const firstWaitMs = 30_000;
/** Later turns wait only for what they start again themselves. */
const laterWaitMs = 5_000;

/** Starts nothing before tools are first asked for. A server that is slow or fails holds up no other one. */
export function createMcpSource(options: McpSourceOptions): ToolSource {
  const prefixes = serverPrefixes(options.servers.map(({ name }) => name));
  const servers = options.servers.map((config) =>
    serverOf(config, prefixes.get(config.name) ?? '', options),
  );
  let isFirst = true;
  let isClosed = false;
  return {
    async tools(_context, signal) {
      signal.throwIfAborted();
      if (isClosed) {
        throw new MassGenError('cancelled/shutdown', 'The agent has ended.');
      }
      const waitMs = isFirst ? firstWaitMs : laterWaitMs;
      isFirst = false;
      await Promise.all(servers.map((server) => server.open(waitMs, signal)));
      return servers.flatMap(({ tools }) => tools);
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function serverOf(config: ToolServerConfig, prefix: string, options: McpSourceOptions): McpServer {
  const { clock, logger, redact, onChange, memory } = options;
  const log = new ServerLog(config.name, logger, redact);
  const entry = entryHash(config);
  const found: { signIn?: SignIn } = {};
  const { signInTo } = options;
  const remembering =
    signInTo === undefined
      ? {}
      : {
          signInTo: (place: Parameters<typeof signInTo>[0]) => (found.signIn = signInTo(place)),
        };
  return new McpServer({
    signIn: async (signal) => found.signIn?.signIn(signal) ?? false,
    ...{ config, prefix, clock, logger, redact, onChange },
    lastWords: () => log.lastWords(),
    connect: async (listeners, life, signal) =>
      connectServer(config, { ...options, ...remembering, log, listeners, life }, signal),
    changedTools: async (listed: readonly Listed[]) => {
      const known = await memory?.compare(
        entry,
        new Map(listed.map((tool) => [tool.name, toolHash(tool)])),
      );
      return new Set(known ?? []);
    },
    acceptTool: async (tool) => memory?.accept(entry, tool.name, toolHash(tool)),
  });
}
