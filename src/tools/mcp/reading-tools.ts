// What servers keep for reading: resources and prompts, as two tools of each server that has them.
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { Tool, ToolContext, ToolResult } from '../../core/ports/tool';
import { listOf, type Members, membersOf } from './schema-parts';
import { resourceResult, toResult } from './result';
import { accessOf, answered, mayRun, notAllowed, subjectOf, type ToolHost } from './tool-host';
import type { Connection } from './wire';

type Request = (method: string, params: Members) => Promise<Members>;

/** Names of the two, as a server would call them. */
export const readingNames = ['read_resource', 'get_prompt'] as const;

/** `names`: of all tools of the server by its own names, these two included; those of `taken` are its own, which come first. */
export function readingTools(
  host: ToolHost,
  config: Pick<ToolServerConfig, 'name' | 'transport'>,
  { hasResources, hasPrompts }: Connection,
  {
    names,
    taken,
  }: { readonly names: ReadonlyMap<string, string>; readonly taken: readonly string[] },
): readonly Tool[] {
  const make = (own: (typeof readingNames)[number], parts: ReadingTool): Tool => ({
    name: names.get(own) ?? own,
    description: parts.description,
    inputSchema: { type: 'object', properties: parts.properties },
    access: accessOf(config),
    effect: 'unknown',
    subjectOf,
    run: async (input, context, signal) =>
      allowed({ host, name: names.get(own) ?? own, input }, context, signal, parts.run),
  });
  const { name } = config;
  const all: readonly (Tool | undefined)[] = [
    hasResources && !taken.includes('read_resource')
      ? make('read_resource', resources(host, name))
      : undefined,
    hasPrompts && !taken.includes('get_prompt')
      ? make('get_prompt', prompts(host, name))
      : undefined,
  ];
  return all.filter((tool) => tool !== undefined);
}

interface ReadingTool {
  readonly description: string;
  readonly properties: Members;
  readonly run: (
    input: Members,
    request: Request,
    taken: ToolContext['media'],
  ) => Promise<ToolResult>;
}

async function allowed(
  {
    host,
    name,
    input,
  }: { readonly host: ToolHost; readonly name: string; readonly input: unknown },
  context: ToolContext,
  signal: AbortSignal,
  run: ReadingTool['run'],
): Promise<ToolResult> {
  const { isConfined, isRemote } = host;
  if (!(await mayRun({ name, input, isConfined, isRemote, isChanged: false }, context, signal))) {
    return notAllowed(name);
  }
  const request: Request = async (method, params) => host.request(method, params, signal);
  return answered(async () => run(membersOf(input) ?? {}, request, context.media));
}

function resources({ redact }: ToolHost, server: string): ReadingTool {
  return {
    description: `Reads a resource of the server ${server}. Without uri it lists what there is.`,
    properties: {
      uri: { type: 'string', description: 'Address of the resource, as it is listed.' },
    },
    async run({ uri }, request, taken) {
      if (typeof uri === 'string' && uri !== '') {
        return resourceResult(await request('resources/read', { uri }), redact, taken);
      }
      const found = await request('resources/list', {});
      const templates = await request('resources/templates/list', {}).catch((): Members => ({}));
      const lines = [
        ...linesOf(found['resources'], ['uri', 'title', 'name', 'description']),
        ...linesOf(templates['resourceTemplates'], ['uriTemplate', 'name', 'description']),
      ];
      return listed(lines, 'There are no resources.', redact);
    },
  };
}

function prompts({ redact }: ToolHost, server: string): ReadingTool {
  return {
    description: `Gets a prompt that the server ${server} has prepared. Without name it lists what there is.`,
    properties: {
      name: { type: 'string', description: 'Name of the prompt, as it is listed.' },
      arguments: {
        type: 'object',
        properties: {},
        description: 'Texts by the names that it asks for.',
      },
    },
    async run({ name, arguments: given }, request, taken) {
      if (typeof name !== 'string' || name === '') {
        const found = await request('prompts/list', {});
        const lines = linesOf(found['prompts'], ['name', 'title', 'description', 'arguments']);
        return listed(lines, 'There are no prompts.', redact);
      }
      const answer = await request('prompts/get', { name, arguments: membersOf(given) ?? {} });
      const { messages } = answer;
      const content = (listOf(messages) ?? []).map((message) => membersOf(message)?.['content']);
      return toResult({ content }, redact, taken);
    },
  };
}

/** A line for each item, of those members that it has. */
function linesOf(items: unknown, keys: readonly string[]): readonly string[] {
  return (listOf(items) ?? []).map((item) => {
    const members = membersOf(item) ?? {};
    const words = keys.map((key) => inWords(members[key])).filter((word) => word !== '');
    return [...new Set(words)].join(' - ');
  });
}

function inWords(value: unknown): string {
  if (typeof value === 'string') {
    return value.replaceAll(/\s+/g, ' ').trim();
  }
  const names = (listOf(value) ?? []).map((argument) => {
    const { name, required } = membersOf(argument) ?? {};
    return `${typeof name === 'string' ? name : '?'}${required === true ? '' : ' (may be left out)'}`;
  });
  return names.length === 0 ? '' : `asks for ${names.join(', ')}`;
}

function listed(
  lines: readonly string[],
  otherwise: string,
  redact: (text: string) => string,
): ToolResult {
  const text = lines.length === 0 ? otherwise : lines.join('\n');
  return toResult({ content: [{ type: 'text', text }] }, redact);
}
