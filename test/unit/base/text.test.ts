import { describe, expect, it } from 'vitest';
import { clip, firstOf, nearest } from '../../../src/base/text';

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
