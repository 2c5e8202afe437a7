import { describe, expect, it } from 'vitest';
import { fixedSource, joinSources } from '../../../src/app/joined-source';
import type { ToolContext, ToolSource } from '../../../src/core/ports/tool';
import { InMemoryWorkspaces } from '../../support/in-memory-workspace';
import { toolOf } from '../../support/plain-tools';

const never = new AbortController().signal;
const context: ToolContext = {
  workspace: new InMemoryWorkspaces().create(1),
  slot: 1,
  seenPaths: new Set(),
  approveCommand: async () => true,
};
const named = (name: string, words = name) =>
  toolOf(name, 'read', async () => ({ text: words, isError: false }));

describe('joined sources', () => {
  it('give their tools in order, the first of two with one name', async () => {
    const source = joinSources([
      fixedSource([named('a'), named('b')]),
      undefined,
      fixedSource([named('b', 'second'), named('c')]),
    ]);
    const tools = (await source?.tools(context, never)) ?? [];
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect((await tools[1]?.run({}, context, never))?.text).toBe('b');
  });

  it('are none where there is nothing, and the only one as it is', () => {
    const one = fixedSource([named('a')]);
    expect(joinSources([undefined, fixedSource([])])).toBeUndefined();
    expect(joinSources([one, undefined])).toBe(one);
  });

  it('are all closed, also when one of them cannot', async () => {
    const closed: string[] = [];
    const closing = (name: string, fails: boolean): ToolSource => ({
      tools: async () => [],
      close: async () => {
        closed.push(name);
        if (fails) throw new Error(name);
      },
    });
    await joinSources([closing('a', true), closing('b', false)])?.close();
    expect(closed).toEqual(['a', 'b']);
  });
});
