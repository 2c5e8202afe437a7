import type { OutputSchema } from '../../core/ports/model-backend';
import { asArray, asObject } from './json-reading';
import { toParameters } from './tool-schema';

type Json = Readonly<Record<string, unknown>>;

/**
 * The schema of an answer as services take it that hold a model to every word of it: all objects are closed and have all of
 * their members, those that may be left out as `null`.
 */
export function toStrictSchema({ schema }: OutputSchema): Json {
  return closed(toParameters(schema));
}

function closed(schema: Json): Json {
  const { anyOf, items, properties, ...rest } = schema;
  const members = Object.entries(asObject(properties) ?? {});
  const required = asArray(schema['required']);
  return {
    ...rest,
    ...(anyOf === undefined ? {} : { anyOf: asArray(anyOf).map(inner) }),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(schema['type'] === 'object'
      ? {
          properties: Object.fromEntries(
            members.map(([name, one]) => [
              name,
              required.includes(name) ? inner(one) : orNull(inner(one)),
            ]),
          ),
          required: members.map(([name]) => name),
          additionalProperties: false,
        }
      : {}),
  };
}

function inner(schema: unknown): Json {
  return closed(asObject(schema) ?? {});
}

function orNull(schema: Json): Json {
  const nothing = { type: 'null' };
  return 'anyOf' in schema
    ? { ...schema, anyOf: [...asArray(schema['anyOf']), nothing] }
    : { anyOf: [schema, nothing] };
}
