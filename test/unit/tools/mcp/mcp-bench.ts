// Servers of one agent, with real programs at the far end.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ToolServerConfig } from '../../../../src/core/ports/backend-kind';
import type { Clock } from '../../../../src/core/ports/clock';
import type {
  Tool,
  ToolContext,
  ToolResult,
  ToolServerChange,
} from '../../../../src/core/ports/tool';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import { createMcpSource } from '../../../../src/tools/mcp/source';
import type { McpSourceOptions } from '../../../../src/tools/mcp/source-parts';
import { realClock } from '../../../support/real-clock';
import { never, startRun, tempFolder } from '../../workspace/temp-project';

export const stubFile = join(import.meta.dirname, 'stub-server.mjs');

export function stub(
  flags: readonly string[] = [],
  more: Partial<ToolServerConfig> = {},
  environment: Readonly<Record<string, string>> = {},
): ToolServerConfig {
  return {
    name: 'stub',
    transport: { type: 'stdio', command: [process.execPath, stubFile, ...flags], environment },
    excludedTools: [],
    ...more,
  };
}

export interface McpBench {
  readonly workspace: AgentWorkspace;
  /** What was told about servers, in order. */
  readonly changes: readonly ToolServerChange[];
  /** Calls that a person was asked about. */
  readonly asked: {
    readonly command: string;
    readonly isConfined: boolean;
    readonly isChanged?: true;
  }[];
  /** What they were asked about as, in the same order. */
  readonly askedAs: ('command' | 'tool' | 'request')[];
  /** The answer to such a question. */
  isAllowed: boolean;
  tools(signal?: AbortSignal): Promise<readonly Tool[]>;
  /** Calls a tool by its whole name. */
  call(name: string, input?: unknown, signal?: AbortSignal): Promise<ToolResult>;
  run(tool: Tool | undefined, input: unknown): Promise<ToolResult>;
  close(): Promise<void>;
  /** Lines of the file that a server with the flag `log=LOG` writes. */
  logged(): readonly string[];
  /** Waits for a line that begins so. */
  sees(beginning: string): Promise<void>;
}

export async function mcpBench(
  servers: readonly ToolServerConfig[],
  more: Partial<McpSourceOptions> = {},
): Promise<McpBench> {
  const workspace = more.workspace ?? (await startRun(tempFolder()).agent());
  const folder = tempFolder();
  const changes: ToolServerChange[] = [];
  const clock: Clock = more.clock ?? realClock;
  const logFile = join(folder, 'log');
  const source = createMcpSource({
    ...{
      servers: servers.map((server) => withLog(server, logFile)),
      workspace,
      clock,
      version: '1.0.0',
    },
    secrets: { get: async () => undefined },
    openAddresses: async () => [],
    cacheDir: join(folder, 'cache'),
    userHome: folder,
    logger: quiet,
    redact: (text) => text,
    onChange: (change) => changes.push(change),
    ...more,
  });
  onTestFinished(() => source.close());
  const context: ToolContext = {
    ...{ workspace, slot: 1, seenPaths: new Set() },
    approveCommand: async ({ command, isConfined, ...kind }) => {
      const change = 'isChanged' in kind ? { isChanged: kind.isChanged } : {};
      bench.asked.push({ command, isConfined, ...change });
      const as = 'isTool' in kind ? 'tool' : 'command';
      bench.askedAs.push('isRequest' in kind ? 'request' : as);
      return bench.isAllowed;
    },
  };
  const bench: McpBench = {
    ...{ workspace, changes, asked: [], askedAs: [], isAllowed: true },
    tools: async (signal = never) => source.tools(context, signal),
    async call(name, input = {}, signal = never) {
      const tool = (await source.tools(context, signal)).find((each) => each.name === name);
      if (tool === undefined) {
        throw new Error(`there is no ${name}: ${JSON.stringify(changes.at(-1))}`);
      }
      return tool.run(input, context, signal);
    },
    async run(tool, input) {
      if (tool === undefined) {
        throw new Error('there is no such tool');
      }
      return tool.run(input, context, never);
    },
    close: async () => source.close(),
    logged: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').trim().split('\n') : []),
    async sees(beginning) {
      while (!bench.logged().some((line) => line.startsWith(beginning))) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
  return bench;
}

function withLog(server: ToolServerConfig, logFile: string): ToolServerConfig {
  const { transport } = server;
  if (transport.type !== 'stdio') {
    return server;
  }
  const [program, ...rest] = transport.command;
  const words = rest.map((word) => (word === 'log=LOG' ? `log=${logFile}` : word));
  return { ...server, transport: { ...transport, command: [program, ...words] } };
}

const silent = (): void => undefined;
const quiet = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };
