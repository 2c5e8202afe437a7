import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableSchema } from '../../../../src/tools/mcp/portable-schema';

const known = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'];

/** Every key of every part that is no name of a member. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return [];
  }
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    const inner =
      key === 'properties' && typeof value === 'object' && value !== null
        ? Object.values(value)
        : key === 'anyOf' && Array.isArray(value)
          ? value
          : key === 'items'
            ? [value]
            : [];
    return [key, ...inner.flatMap(keysOf)];
  });
}

describe('the schema of a tool of a server', () => {
  it('keeps types, members and words, and tells rules in words', () => {
    expect(
      portableSchema({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        additionalProperties: false,
        properties: {
          city: { type: 'string', minLength: 1, description: 'Name of a city' },
          days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
          unit: { enum: ['C', 'F'] },
          size: { enum: [1, 2] },
          tags: { type: 'array', items: { type: ['string', 'null'] } },
          any: { type: 'array' },
          'not legal': { type: 'string' },
        },
        required: ['city', 'not legal'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of a city (characters at least 1)' },
        days: { type: 'integer', description: '(default 3; at least 1; at most 7)' },
        unit: { type: 'string', enum: ['C', 'F'] },
        size: { type: 'number', description: '(one of 1, 2)' },
        tags: { type: 'array', items: { type: 'string' } },
        any: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
    });
  });

  it('resolves references within itself, also in a circle, and fetches nothing', () => {
    expect(
      portableSchema({
        type: 'object',
        properties: {
          node: { $ref: '#/$defs/node' },
          other: { $ref: 'https://evil.example/schema.json', description: 'Elsewhere' },
        },
        $defs: {
          node: {
            type: 'object',
            properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
          },
        },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        node: { type: 'object', properties: { name: { type: 'string' }, next: {} } },
        other: { description: 'Elsewhere' },
      },
    });
  });

  it('makes one choice of choices, and one object of parts', () => {
    expect(
      portableSchema({
        allOf: [
          { properties: { a: { const: 'x' } }, required: ['a'] },
          { properties: { b: { oneOf: [{ type: 'string' }, { type: 'null' }] } } },
        ],
        properties: {
          c: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          d: { oneOf: [{ const: 'on' }, { const: 'off' }] },
        },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', enum: ['x'] },
        b: { type: 'string' },
        c: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        d: { type: 'string', enum: ['on', 'off'] },
      },
      required: ['a'],
    });
  });

  it.each([undefined, null, 'text', [], { type: 'string' }, { properties: [] }])(
    'is an object without members for %j',
    (schema) => {
      expect(portableSchema(schema)).toEqual({ type: 'object', properties: {} });
    },
  );

  it('is bounded and in known words for whatever a server sends', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue(), (value, more) => {
        const schema = portableSchema({
          type: 'object',
          properties: { value, more },
          anyOf: value,
        });
        expect(keysOf(schema).filter((key) => !known.includes(key))).toEqual([]);
      }),
      { seed: 11 },
    );
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_unused, i) => [
        `m${i}`,
        { type: 'string', description: 'long '.repeat(500) },
      ]),
    );
    expect(JSON.stringify(portableSchema({ properties: wide })).length).toBeLessThan(150_000);
    let deep: unknown = { type: 'string' };
    for (let i = 0; i < 5000; i++) {
      deep = { type: 'object', properties: { deep } };
    }
    expect(JSON.stringify(portableSchema(deep)).length).toBeLessThan(1_000);
  });

  it.each([
    { enum: [] },
    { enum: [null] },
    { anyOf: [] },
    { oneOf: [{ type: 'null' }] },
    { type: [] },
    { type: ['null'] },
    { type: 'string', enum: ['x'.repeat(1_000_000), 'y'] },
    { type: 'string', enum: ['a\u202eb', '\ud800'] },
  ])('has no choice without values, and none that nobody could send back: %j', (choice) => {
    const { properties } = portableSchema({ properties: { choice } });
    expect(properties).toEqual({ choice: { type: 'string' } });
  });

  it('has each value and each needed member once', () => {
    expect(
      portableSchema({ properties: { a: { enum: ['x', 'x', 'y'] } }, required: ['a', 'a'] }),
    ).toEqual({
      type: 'object',
      properties: { a: { type: 'string', enum: ['x', 'y'] } },
      required: ['a'],
    });
  });

  it('stays small however many members, values and words there are', () => {
    const many = Array.from({ length: 100_000 }, (_unused, i) => `m${i}`);
    const values = many.slice(0, 200).map((name) => name.repeat(20));
    const wide = Object.fromEntries(many.map((name) => [name, { enum: values }]));
    const schema = portableSchema({ properties: wide, required: many });
    expect(JSON.stringify(schema).length).toBeLessThan(100_000);
    expect(JSON.stringify(portableSchema({ anyOf: [{ properties: wide }] })).length).toBeLessThan(
      100_000,
    );
  });

  it('has no half characters and nothing unseen in its words, however deep a rule is', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) {
      deep = [deep];
    }
    const description = `a\u200bb${'x'.repeat(996)}\u{1f600}\u{1f600}`;
    const { properties } = portableSchema({
      properties: { a: { description }, b: { default: deep }, c: { description: '\ud800' } },
    });
    expect(JSON.stringify(properties)).not.toMatch(/\\ud8|\u200b/);
  });
});
