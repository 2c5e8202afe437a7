import { describe, expect, it } from 'vitest';
import { toResult } from '../../../../src/tools/mcp/result';
import { serverTools } from '../../../../src/tools/mcp/server-tools';
import type { ToolHost } from '../../../../src/tools/mcp/tool-host';
import type { Connection } from '../../../../src/tools/mcp/wire';

const host: ToolHost = {
  isConfined: true,
  isRemote: false,
  redact: (text) => text,
  request: async () => ({}),
  call: async () => ({}),
  acceptTool: async () => undefined,
};

const has = { hasTools: true, hasResources: true, hasPrompts: true } as Connection;

function offered(tools: readonly { readonly name: string; readonly inputSchema?: unknown }[]) {
  const listed = tools.map((tool) => ({ description: '', inputSchema: {}, ...tool }));
  const config = {
    name: 's',
    transport: { type: 'stdio', command: ['s'], environment: {} },
  } as const;
  return serverTools(host, { config, prefix: 'mcp__s__', listed, changed: new Set() }, has).tools;
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

const same = (text: string): string => text;
const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');
const png = base64('\x89PNG\r\n\x1a\n and so on');

describe('what a hostile server answers', () => {
  it.each([
    ['a page of text', base64('<html>not found</html>'), 'image/png', 'damaged'],
    ['a drawing that can hold scripts', base64('<svg/>'), 'image/svg+xml', 'not shown'],
    ['a sound of no known kind', base64('abc'), 'audio/x-evil', 'not shown'],
    ['a picture too large for services', png + 'AAAA'.repeat(1_300_000), 'image/png', 'left out'],
  ])('is no picture or sound when it is %s', (_what, data, mimeType, why) => {
    const { text, media } = toResult({ content: [{ type: 'image', data, mimeType }] }, same);
    expect(media).toBeUndefined();
    expect(text).toContain(why);
  });

  it('has the type of picture that it is, not the one that it says', () => {
    const content = [{ type: 'image', data: png, mimeType: 'image/jpeg' }];
    expect(toResult({ content }, same).media?.[0]?.mediaType).toBe('image/png');
  });

  it('is shown to no model that takes no pictures', () => {
    const content = [{ type: 'image', data: png, mimeType: 'image/png' }];
    expect(toResult({ content }, same, ['audio'])).toEqual({
      isError: false,
      text: '[image/png, 18 bytes: not shown, because this model takes none]',
    });
    expect(toResult({ content }, same, ['image']).media).toHaveLength(1);
  });

  it.each([300, 30_000])('is an answer however deep its members are: %i', (depth) => {
    let deep: unknown = 'x';
    for (let i = 0; i < depth; i++) {
      deep = { deep };
    }
    const { text } = toResult({ structuredContent: deep }, same);
    expect(text.length).toBeLessThan(1_000_000);
  });

  it('is not as long as it likes, and has no half characters', () => {
    const content = [1, 2, 3, 4].map(() => ({ type: 'text', text: 'x'.repeat(10_000_000) }));
    expect(toResult({ content }, same).text.length).toBeLessThan(16_100_000);
    expect(toResult({ content: [{ type: 'text', text: 'a\ud800b' }] }, same).text).toBe('a\ufffdb');
  });
});
