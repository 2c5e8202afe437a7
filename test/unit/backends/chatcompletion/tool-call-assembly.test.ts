import { describe, expect, it } from 'vitest';
import { ToolCallAssembly } from '../../../../src/backends/chatcompletion/tool-call-assembly';

const step = { attempt: 1, slot: 2, turnNo: 3, call: 4 };
const none: ReadonlySet<string> = new Set();

function assemble(...pieces: readonly unknown[]): readonly string[] {
  const assembly = new ToolCallAssembly();
  for (const piece of pieces) {
    assembly.add(piece);
  }
  return assembly
    .finish({ step, usedIds: none, isCut: false, hasShortIds: false })
    .map(({ call }) => `${call.name} ${call.argumentsJson}`);
}

const fn = (name: string | undefined, args: unknown): unknown => ({
  ...(name === undefined ? {} : { name }),
  ...(args === undefined ? {} : { arguments: args }),
});

describe('tool calls in pieces', () => {
  it.each([
    [
      'interleaved by index',
      [
        { index: 0, id: 'a', function: fn('read', '') },
        { index: 1, id: 'b', function: fn('list', '') },
        { index: 0, function: fn(undefined, '{"x"') },
        { index: 1, function: fn(undefined, '{"y":2}') },
        { index: 0, function: fn(undefined, ':1}') },
      ],
      ['read {"x":1}', 'list {"y":2}'],
    ],
    [
      'whole and without an index',
      [
        { id: 'a', function: fn('read', '{"x":1}') },
        { id: 'b', function: fn('list', '{"y":2}') },
      ],
      ['read {"x":1}', 'list {"y":2}'],
    ],
    [
      'whole, without index and id',
      [{ function: fn('read', '{"x":1}') }, { function: fn('read', '{"x":2}') }],
      ['read {"x":1}', 'read {"x":2}'],
    ],
    [
      'in pieces without an index',
      [
        { id: 'a', function: fn('read', '{"x"') },
        { id: 'a', function: fn(undefined, ':1}') },
      ],
      ['read {"x":1}'],
    ],
    [
      'under index 0 every time',
      [
        { index: 0, id: 'a', function: fn('read', '{"x":') },
        { index: 0, function: fn(undefined, '1}') },
        { index: 0, id: 'b', function: fn('list', '{"y":2}') },
      ],
      ['read {"x":1}', 'list {"y":2}'],
    ],
    [
      'under one id for two indexes',
      [
        { index: 0, id: 'a', function: fn('read', '{"x":1}') },
        { index: 1, id: 'a', function: fn('list', '{"y":2}') },
      ],
      ['read {"x":1}', 'list {"y":2}'],
    ],
    [
      'with a name in three pieces',
      [
        { index: 0, id: 'a', function: fn('read', undefined) },
        { index: 0, function: fn('_fi', undefined) },
        { index: 0, function: fn('le', '{}') },
      ],
      ['read_file {}'],
    ],
    [
      'with the name repeated in every piece',
      [
        { index: 0, id: 'a', function: fn('read', '{"x"') },
        { index: 0, id: 'a', function: fn('read', ':1}') },
        { index: 0, id: 'a', function: fn('read', '') },
      ],
      ['read {"x":1}'],
    ],
    [
      'announced with an empty object',
      [
        { index: 0, id: 'a', function: fn('read', '{}') },
        { index: 0, function: fn(undefined, '{"x":1}') },
      ],
      ['read {"x":1}'],
    ],
    ['without arguments', [{ index: 0, id: 'a', function: fn('read', '') }], ['read {}']],
    ['with null arguments', [{ index: 0, id: null, function: fn('read', null) }], ['read {}']],
    ['with an object as arguments', [{ id: 7, function: fn('read', { x: 1 }) }], ['read {"x":1}']],
    ['among things that are none', [null, 3, 'x', []], []],
  ] as const)('are put together when they come %s', (_how, pieces, calls) => {
    expect(assemble(...pieces)).toEqual(calls);
  });

  it('keep good ids and get the same new ones when the step is asked again', () => {
    const ids = (): readonly string[] => {
      const assembly = new ToolCallAssembly();
      assembly.add({ index: 0, id: 'good', function: fn('read', '') });
      assembly.add({ index: 1, id: 'taken', function: fn('read', '') });
      assembly.add({ index: 2, id: 'good', function: fn('read', '') });
      const usedIds = new Set(['taken']);
      return assembly
        .finish({ step, usedIds, isCut: false, hasShortIds: false })
        .map(({ call }) => call.id);
    };
    expect(ids()[0]).toBe('good');
    expect(new Set([...ids(), 'taken']).size).toBe(4);
    expect(ids()).toEqual(ids());
  });
});

describe('a service that does not keep to any measure', () => {
  it('repeats the name with every piece of long arguments', () => {
    const pieces = Array.from({ length: 4000 }, () => ({
      index: 0,
      function: fn('write', '}]'.repeat(100)),
    }));
    const [call] = assemble(
      { index: 0, id: 'a', function: fn('write', '{"c":"\\"') },
      ...pieces,
      { index: 0, function: fn('write', '"}') },
      { index: 0, function: fn('write', '{"c":"next"}') },
    );
    expect(call?.length).toBe('write {"c":"\\""}'.length + 800_000);
  });

  it('is refused when it makes calls without end', () => {
    const pieces = Array.from({ length: 300 }, (_, index) => ({ index, function: fn('read', '') }));
    expect(() => assemble(...pieces)).toThrow('malformed');
  });
});
