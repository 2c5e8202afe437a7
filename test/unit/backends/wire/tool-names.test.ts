import { expect, it } from 'vitest';
import { ToolNames } from '../../../../src/backends/wire/tool-names';

const fit = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

it('makes every name fit, no two alike, and knows each again', () => {
  const long = 'x'.repeat(70);
  const own = ['read', 'a.b', 'a_b', '1st', 'größe', long, `${long}y`, 'a:b'];
  const names = new ToolNames(
    own.map((name) => ({ name, description: '', inputSchema: { type: 'object' } })),
  );
  const wire = own.map((name) => names.toWire(name));
  expect(wire.filter((name) => !fit.test(name))).toEqual([]);
  expect(new Set(wire).size).toBe(own.length);
  expect(wire.map((name) => names.fromWire(name))).toEqual(own);
  expect(names.toWire('a_b')).toBe('a_b');
});

it('also makes a name fit that a model has invented', () => {
  const names = new ToolNames([]);
  expect(names.toWire('print(1)')).toMatch(fit);
  expect(names.fromWire('other')).toBe('other');
});
