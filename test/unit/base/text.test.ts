import { describe, expect, it } from 'vitest';
import { clip, firstOf, nearest, withWordsOf } from '../../../src/base/text';

describe('clip', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too …'],
    ['a😀b', 3, 'a…'],
    ['x', 0, '…'],
  ])('%j within %i units is %j', (text, limit, expected) => {
    expect(clip(text, limit)).toBe(expected);
  });
});

describe('firstOf', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b, c'],
    [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
  ])('of %j names three and says how many more there are', (items, expected) => {
    expect(firstOf(items, 3)).toBe(expected);
  });
});

describe('nearest', () => {
  const types = ['chatcompletion', 'offline', 'vscode_lm'];
  it.each([
    ['oflline', 'offline'],
    ['ChatCompletion', 'chatcompletion'],
    ['vscodelm', 'vscode_lm'],
    ['grok', undefined],
  ])('%j is near %j', (word, expected) => {
    expect(nearest(word, types)).toBe(expected);
  });
});

describe('the names that hold the words of another', () => {
  const names = ['enable_web_search', 'mcp_servers', 'max_mcp_history', 'timeout_settings', 'ui'];
  it.each([
    ['web_search', ['enable_web_search']],
    ['webSearch', ['enable_web_search']],
    ['mcp', ['mcp_servers']],
    ['timeouts', ['timeout_settings']],
    ['max history', ['max_mcp_history']],
    ['search_history', []],
    ['ui', []],
    ['', []],
  ])('for %j are %j', (name, expected) => {
    expect(withWordsOf(name, names)).toEqual(expected);
  });
});
