import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverPrefixes, toolNames } from '../../../../src/tools/mcp/names';

const legal = /^mcp__[A-Za-z0-9_-]{1,59}$/;

describe('names of tools of servers', () => {
  it('are those of server and tool where these are legal', () => {
    const prefix = serverPrefixes(['weather']).get('weather') ?? '';
    expect([...toolNames(prefix, ['forecast', 'get-alerts']).values()]).toEqual([
      ...['mcp__weather__forecast', 'mcp__weather__get-alerts'],
    ]);
  });

  it('never become that of another tool: not by length, by illegal characters, nor by look-alike ones', () => {
    const prefix = serverPrefixes(['s']).get('s') ?? '';
    // The fourth one has a Cyrillic letter in it.
    const names = toolNames(prefix, [
      'a.b',
      'a/b',
      'a_b',
      'vоte',
      'vote',
      'x'.repeat(90),
      'x'.repeat(91),
    ]);
    expect(names.get('a_b')).toBe('mcp__s__a_b');
    expect(new Set(names.values()).size).toBe(7);
    expect([...names.values()].every((name) => legal.test(name))).toBe(true);
  });

  it('stay apart when a server calls a tool as another one would be renamed', () => {
    const names = toolNames('mcp__s__', ['é', 'è']);
    const guessed = [...names.values()].map((name) => name.slice('mcp__s__'.length));
    for (const own of [
      ['é', 'è', ...guessed],
      [...guessed, 'è', 'é'],
    ]) {
      const found = toolNames('mcp__s__', own);
      expect(new Set(found.values()).size).toBe(4);
      expect(guessed.map((name) => found.get(name))).toEqual([...names.values()]);
    }
  });

  it('are legal, unique over all servers and the same in any order, whatever servers and tools are called', () => {
    const servers = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/), {
      maxLength: 5,
      minLength: 1,
    });
    const tools = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 90 }), { maxLength: 8 });
    fc.assert(
      fc.property(servers, tools, (named, own) => {
        const prefixes = serverPrefixes(named);
        const all = named.flatMap((server) => {
          const prefix = prefixes.get(server) ?? '';
          const names = toolNames(prefix, own);
          expect(toolNames(prefix, own.toReversed()).get(own[0] ?? '')).toBe(
            names.get(own[0] ?? ''),
          );
          return [...names.values()];
        });
        expect(new Set(all).size).toBe(named.length * own.length);
        expect(all.every((name) => legal.test(name))).toBe(true);
      }),
      { seed: 11 },
    );
  });
});
