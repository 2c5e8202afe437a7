import { describe, expect, it } from 'vitest';
import { mcpBench, stub } from './mcp-bench';

describe('tools of a server', () => {
  it('are called, and their text comes back', async () => {
    const bench = await mcpBench([stub()]);
    expect(await bench.call('mcp__stub__echo', { text: 'hello' })).toEqual({
      text: 'you said hello',
      isError: false,
    });
  });
});
