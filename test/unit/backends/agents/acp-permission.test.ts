import { describe, expect, test } from 'vitest';
import { isBridgeTool } from '../../../../src/backends/agents/acp/permission';

const offered = (): readonly string[] => ['new_answer', 'vote'];

describe('a call of a workflow tool', () => {
  test.each([
    ...['mcp__massgen__vote', 'mcp_massgen_new_answer', 'massgen.vote', 'massgen: vote'],
    ...['vote (massgen MCP Server)', 'vote (massgen)'],
  ])('is known by the name %s', (title) => {
    expect(isBridgeTool({ title, kind: 'other' }, offered)).toBe(true);
    expect(isBridgeTool({ title, kind: 'execute' }, offered)).toBe(false);
    expect(isBridgeTool({ title, kind: 'delete' }, offered)).toBe(false);
  });

  test.each([
    ...['mcp__massgen_files__write', 'mcp_massgen_files_write', 'massgen: remove_all'],
    ...['remove (massgen)', 'mcp__massgen__vote; rm', 'vote'],
  ])('is not what only looks like one: %s', (title) => {
    expect(isBridgeTool({ title, kind: 'other' }, offered)).toBe(false);
  });
});
