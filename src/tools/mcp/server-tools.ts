// Tools of a server in the form that agents have tools in.
import { clip } from '../../base/text';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { Tool, ToolResult } from '../../core/ports/tool';
import type { Listed } from './list';
import { toolNames } from './names';
import { portableSchema } from './portable-schema';
import { mostWords } from './ready-notice';
import { readingNames, readingTools } from './reading-tools';
import { toResult } from './result';
import { membersOf, visible } from './schema-parts';
import { accessOf, answered, mayRun, notAllowed, subjectOf, type ToolHost } from './tool-host';
import type { Connection } from './wire';

const longestDescription = 4_000;

export interface Offer {
  readonly config: Pick<ToolServerConfig, 'name' | 'transport'>;
  readonly prefix: string;
  readonly listed: readonly Listed[];
  /** Own names of tools that nobody has agreed to in their present form. */
  readonly changed: ReadonlySet<string>;
}

export interface MadeTools {
  readonly tools: readonly Tool[];
  /** Of those that are listed, how many are not among the tools. */
  readonly leftOut: number;
}

/** Those that the words of all together leave room for, and always those by which its resources and prompts are read. */
export function serverTools(host: ToolHost, offer: Offer, has: Connection): MadeTools {
  const { config, prefix, listed, changed } = offer;
  const own = listed.map(({ name }) => name);
  const names = toolNames(prefix, [...own, ...readingNames]);
  const access = accessOf(config);
  const tools = listed.map((tool): Tool => {
    const name = names.get(tool.name) ?? tool.name;
    const isChanged = { now: changed.has(tool.name) };
    return {
      name,
      description: describe(host.redact(tool.description.slice(0, 16_000)), config.name),
      inputSchema: portableSchema(tool.inputSchema),
      // What a server says of its own tools is no ground for trusting them.
      ...{ access, effect: 'unknown' },
      subjectOf,
      async run(input, context, signal): Promise<ToolResult> {
        const { isConfined, isRemote } = host;
        const asked = { name, input, isConfined, isRemote, isChanged: isChanged.now };
        if (!(await mayRun(asked, context, signal))) {
          return notAllowed(name);
        }
        if (isChanged.now) {
          isChanged.now = false;
          await host.acceptTool(tool);
        }
        return answered(async () =>
          toResult(
            await host.call(tool, membersOf(input) ?? {}, signal),
            host.redact,
            context.media,
          ),
        );
      },
    };
  });
  const kept = withinWords(tools);
  return {
    tools: [...kept, ...readingTools(host, config, has, { names, taken: own })],
    leftOut: tools.length - kept.length,
  };
}

/** The first ones. */
function withinWords(tools: readonly Tool[]): readonly Tool[] {
  let left = mostWords;
  const end = tools.findIndex(({ description, inputSchema }) => {
    left -= description.length + JSON.stringify(inputSchema).length;
    return left < 0;
  });
  return end < 0 ? tools : tools.slice(0, end);
}

function describe(written: string, server: string): string {
  const words = visible(written.slice(0, 2 * longestDescription)).trim();
  return clip(words === '' ? `A tool of the server ${server}.` : words, longestDescription);
}
