import { describe, expect, it } from 'vitest';
import { mcpBench } from './mcp-bench';
import { answer, serve } from './web-server';

interface Given {
  readonly name: string;
  readonly description?: string;
}

interface Found {
  readonly names: readonly string[];
  readonly notice: string | undefined;
}

/** What an agent gets of a server that lists these, so many on a page. */
async function listed(
  tools: readonly Given[],
  { perPage = tools.length, more = {} } = {},
): Promise<Found> {
  const server = await serve((request, response, body) => {
    const { id, method, params } = JSON.parse(body === '' ? '{}' : body) as {
      readonly id?: number;
      readonly method?: string;
      readonly params?: { readonly cursor?: string };
    };
    if (method !== 'tools/list') {
      answer(request, response, body);
      return;
    }
    const at = Number(params?.cursor ?? 0);
    const page = tools.slice(at, at + perPage);
    const result = {
      tools: page.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
      ...(at + perPage < tools.length ? { nextCursor: String(at + perPage) } : {}),
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const bench = await mcpBench([
    {
      name: 'web',
      transport: { type: 'http', url: server.url, headers: {} },
      ...{ excludedTools: [], isLocalAllowed: true, ...more },
    },
  ]);
  const names = (await bench.tools()).map(({ name }) => name);
  return { names, notice: bench.changes.at(-1)?.message };
}

const numbered = (count: number, description = 'Short.'): readonly Given[] =>
  Array.from({ length: count }, (_each, n) => ({ name: `tool${n}`, description }));

describe('of a server with very many tools', () => {
  it('the first ones are used, and how many are left out is told with how to choose', async () => {
    const { names, notice } = await listed([...numbered(140), ...numbered(2)]);
    expect(names).toHaveLength(128);
    expect(names.at(-1)).toBe('mcp__web__tool127');
    expect(notice).toBe(
      'Of its tools the first 128 are used and 12 are left out: one server brings at most 128 tools, with 200000 characters of description together. Choose with allowed_tools.',
    );
  });

  it('those that are chosen are used, wherever in the list they stand', async () => {
    const more = { allowedTools: ['tool1', 'tool139'] };
    const { names, notice } = await listed(numbered(140), { more });
    expect(names).toEqual(['mcp__web__tool1', 'mcp__web__tool139']);
    expect(notice).toBeUndefined();
  });

  it('no more are used than the words of all together allow', async () => {
    const { names, notice } = await listed(numbered(100, 'word '.repeat(700)));
    expect(names.length).toBeGreaterThan(40);
    expect(names.length).toBeLessThan(60);
    expect(notice).toContain(
      `the first ${names.length} are used and ${100 - names.length} are left out`,
    );
  });

  it('a list without end is read no further, and that is told', async () => {
    const { names, notice } = await listed(numbered(300), { perPage: 1 });
    expect(names).toHaveLength(128);
    expect(notice).toContain('more than 128 are left out');
  });
});
