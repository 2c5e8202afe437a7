import { describe, expect, it } from 'vitest';
import { toJsonSchema, toOpenApi } from '../../../../src/backends/gemini/schema';

function propertyOf(property: unknown, more: Readonly<Record<string, unknown>> = {}): unknown {
  const schema = toOpenApi({ type: 'object', properties: { p: property }, ...more });
  const properties: unknown = schema?.['properties'];
  return properties;
}

describe('a schema as a subset of OpenAPI', () => {
  it.each([
    ['a type', { type: 'integer', minimum: 1 }, { type: 'INTEGER', minimum: 1 }],
    ['one that may be null', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
    [
      'several types',
      { type: ['string', 'integer'] },
      { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] },
    ],
    ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
    ['a constant', { const: 'x' }, { type: 'STRING', enum: ['x'], format: 'enum' }],
    [
      'numbers to choose from',
      { enum: [1, 2] },
      { type: 'STRING', enum: ['1', '2'], format: 'enum' },
    ],
    ['a format that is not known', { type: 'string', format: 'uri' }, { type: 'STRING' }],
    ['a moment', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
    [
      'one of several',
      { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'STRING' }, { type: 'BOOLEAN' }] },
    ],
    [
      'something or null',
      { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'd' },
      { type: 'NUMBER', nullable: true, description: 'd' },
    ],
    [
      'all of several',
      { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { required: ['a'] }] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    ],
    [
      'requirements of what does not exist',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    ],
    [
      'what the subset does not have',
      { type: 'string', minLength: 1, exclusiveMinimum: 3, additionalProperties: false },
      { type: 'STRING', minLength: 1 },
    ],
  ])('has a form for %s', (_what, property, form) => {
    expect(propertyOf(property)).toEqual({ p: form });
  });

  it('holds what it refers to, and ends where a type contains itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const schema = propertyOf({ $ref: '#/$defs/node' }, { $defs: { node } });
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(schema).toMatchObject({ p: { properties: { next: { properties: { next: {} } } } } });
  });

  it('gives an object without members one, because it must have some', () => {
    expect(propertyOf({ type: 'object' })).toMatchObject({ p: { properties: { value: {} } } });
  });
});

describe('a schema nearly as it is', () => {
  it('loses the mark of its dialect and what stands beside a reference', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/x', description: 'lost' },
        b: { const: 3 },
        c: { type: 'array' },
        const: { type: 'string' },
      },
      additionalProperties: false,
      $defs: { x: { type: 'object', $comment: 'lost', properties: { y: { type: 'string' } } } },
    };
    expect(toJsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/x' },
        b: { enum: [3] },
        c: { type: 'array', items: { type: 'string' } },
        const: { type: 'string' },
      },
      additionalProperties: false,
      $defs: { x: { type: 'object', properties: { y: { type: 'string' } } } },
    });
  });
});

it('leaves the schema of a function without input out', () => {
  expect(toOpenApi({ type: 'object', properties: {} })).toBeUndefined();
  expect(toJsonSchema({ type: 'object' })).toBeUndefined();
});

it('keeps the input of a function that takes any members', () => {
  const open = { type: 'object', additionalProperties: { type: 'string' } };
  expect(toJsonSchema(open)).toEqual(open);
  expect(toOpenApi(open)).toMatchObject({ type: 'OBJECT' });
});
