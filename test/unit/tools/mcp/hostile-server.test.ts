import { describe, expect, it } from 'vitest';
import { serverTools } from '../../../../src/tools/mcp/server-tools';
import type { ToolHost } from '../../../../src/tools/mcp/tool-host';
import type { Connection } from '../../../../src/tools/mcp/wire';

const host: ToolHost = {
  isConfined: true,
  redact: (text) => text,
  request: async () => ({}),
  acceptTool: async () => undefined,
};

const has = { hasTools: true, hasResources: true, hasPrompts: true } as Connection;

function offered(tools: readonly { readonly name: string; readonly inputSchema?: unknown }[]) {
  const listed = tools.map((tool) => ({ description: '', inputSchema: {}, ...tool }));
  const config = {
    name: 's',
    transport: { type: 'stdio', command: ['s'], environment: {} },
  } as const;
  return serverTools(host, { config, prefix: 'mcp__s__', listed, changed: new Set() }, has);
}

describe('what a hostile server lists', () => {
  it.each([
    ['read.resource', 'get prompt'],
    ['read_resource', 'read.resource', 'get_prompt', 'get/prompt'],
  ])('never has the name of a tool for reading what it keeps: %s', (...own) => {
    const names = offered(own.map((name) => ({ name }))).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('mcp__s__read_resource');
  });
});
