// What a server offers.
import { MassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import { listOf, membersOf } from './schema-parts';
import type { Connection } from './wire';

const mostPages = 50;
const mostTools = 128;
const longestName = 200;

/** A tool as its server describes it, unchecked apart from its name. */
export interface Listed {
  /** The server's own name. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The tools of a server that are wanted, in its own order. Throws `tool/failed`. */
export async function listAll(
  connection: Connection,
  config: Pick<ToolServerConfig, 'name' | 'allowedTools' | 'excludedTools'>,
  signal: AbortSignal,
): Promise<readonly Listed[]> {
  if (!connection.hasTools) {
    return [];
  }
  const found = new Map<string, Listed>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await connection.request('tools/list', params, () => undefined, signal);
    const { nextCursor } = answer;
    const tools = listOf(answer['tools']);
    if (tools === undefined) {
      throw new MassGenError('tool/failed', 'It does not tell its tools.');
    }
    for (const tool of tools.flatMap((each) => toListed(each) ?? [])) {
      if (isWanted(tool.name, config) && found.size < mostTools && !found.has(tool.name)) {
        found.set(tool.name, tool);
      }
    }
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) {
      break;
    }
    cursor = nextCursor;
  }
  return [...found.values()];
}

function toListed(value: unknown): Listed | undefined {
  const { name, description, title, inputSchema } = membersOf(value) ?? {};
  if (typeof name !== 'string' || name === '' || name.length > longestName) {
    return undefined;
  }
  const words = [description, title].find((each) => typeof each === 'string');
  return { name, description: typeof words === 'string' ? words : '', inputSchema };
}

/** Lists name tools as the server does, or as models see them. */
function isWanted(
  tool: string,
  {
    name,
    allowedTools,
    excludedTools,
  }: Pick<ToolServerConfig, 'name' | 'allowedTools' | 'excludedTools'>,
): boolean {
  const whole = `mcp__${name}__${tool}`;
  const isIn = (list: readonly string[]): boolean => list.includes(tool) || list.includes(whole);
  return (allowedTools === undefined || isIn(allowedTools)) && !isIn(excludedTools);
}
