import { describe, expect, it } from 'vitest';
import { exampleName, isExampleName, resolveExample } from '../../../src/config/example-names';

const available = [
  'basic/multi/three_agents_default',
  'basic/multi/gemini_gpt5_claude',
  'features/fast_iteration',
  'providers/local/lmstudio',
  'tools/filesystem/team_files',
  'tools/mcp/team_files',
  'offline',
];

function look(name: string) {
  return resolveExample(name, available);
}

describe('names of the shipped team files', () => {
  const path = 'basic/multi/three_agents_default';
  it.each([
    ['the path', '@examples/basic/multi/three_agents_default'],
    ['the path with underscores', '@examples/basic_multi_three_agents_default'],
    ['the last part of the path', '@examples/three_agents_default'],
    ['the path with a suffix', '@examples/basic/multi/three_agents_default.yaml'],
    ['the last part without the prefix', 'three_agents_default'],
  ])('are found by %s', (_spelling, name) => {
    expect(look(name)).toEqual({ kind: 'found', path });
  });

  it('are found by a path that has no folder', () => {
    expect(look('@examples/offline')).toEqual({ kind: 'found', path: 'offline' });
  });

  it('that fit several files are answered with all of them', () => {
    expect(look('@examples/team_files')).toEqual({
      kind: 'ambiguous',
      ambiguous: ['tools/filesystem/team_files', 'tools/mcp/team_files'],
    });
  });

  it('that are the path of one file and the last part of another mean the path', () => {
    expect(resolveExample('@examples/a', ['a', 'b/a'])).toEqual({ kind: 'found', path: 'a' });
  });

  it('that spell the path of one file with underscores and end another are not guessed', () => {
    expect(resolveExample('a_b', ['a/b', 'c/a_b'])).toEqual({
      kind: 'ambiguous',
      ambiguous: ['a/b', 'c/a_b'],
    });
  });

  it.each([
    ['a typing error in the last part', 'tree_agent_default', [path]],
    ['a typing error in the path', 'basic/multy/three_agents_default', [path]],
    ['a typing error with underscores', 'basic_multi_three_agent_default', [path]],
    ['a part of the name', 'GPT5', ['basic/multi/gemini_gpt5_claude']],
    ['a folder', 'tools/', ['tools/filesystem/team_files', 'tools/mcp/team_files']],
    ['nothing known', 'zzzzzzzzzzzz', []],
    ['nothing at all', '', []],
  ])('that are unknown by %s come with the nearest', (_what, name, nearest) => {
    expect(look(`@examples/${name}`)).toEqual({ kind: 'unknown', nearest });
  });

  it('that are unknown come with five names at most', () => {
    const many = Array.from({ length: 9 }, (_unused, i) => `team_${i}`);
    expect(resolveExample('team', many)).toEqual({ kind: 'unknown', nearest: many.slice(0, 5) });
  });

  it('are told from files by their prefix, which is shown to people', () => {
    expect(isExampleName(exampleName('offline'))).toBe(true);
    expect(isExampleName('./examples/offline.yaml')).toBe(false);
  });
});
