import { MassGenError } from '../core/errors';
import type { JsonSchema } from '../core/ports/model-backend';

/** One named value of a tool's input. The schema for the model and the check of what it sends come from this. */
export interface InputField {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  /** Written for the model. */
  readonly description: string;
  readonly isOptional?: boolean;
  /** Schema of the elements of an `array`, for the model; the tool checks them itself. */
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type InputFields = Readonly<Record<string, InputField>>;

interface TypeOf {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly array: readonly unknown[];
}

type Value<F extends InputField> = F extends { readonly isOptional: true }
  ? TypeOf[F['type']] | undefined
  : TypeOf[F['type']];

export type InputOf<F extends InputFields> = { readonly [K in keyof F]: Value<F[K]> };

export function toSchema(fields: InputFields): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { isOptional: _unused, ...field }]) => [name, field]),
  );
  const required = Object.keys(fields).filter((name) => fields[name]?.isOptional !== true);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Throws `tool/invalid-input` with everything that is wrong, in words a model can act on. */
export function parseInput<F extends InputFields>(fields: F, input: unknown): InputOf<F> {
  if (!isRecord(input)) {
    throw invalid([`the input must be an object with ${names(fields)}`]);
  }
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name));
  const given = withoutNulls(input);
  const problems = [
    ...unknown.map((name) => `${name} is not known (known: ${names(fields)})`),
    ...Object.entries(fields).flatMap(([name, field]) => problemOf(name, field, given[name])),
  ];
  if (problems.length > 0 || !isChecked(fields, given)) {
    throw invalid(problems);
  }
  return given;
}

/** The value of a text field for a line for people; empty when the input has none. */
export function textOf(input: unknown, name: string): string {
  const value = isRecord(input) ? input[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Some models write null for a value they leave out. */
function withoutNulls(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function isChecked<F extends InputFields>(fields: F, input: object): input is InputOf<F> {
  const values = new Map(Object.entries(input));
  return Object.entries(fields).every(
    ([name, field]) => problemOf(name, field, values.get(name)).length === 0,
  );
}

function problemOf(name: string, field: InputField, value: unknown): readonly string[] {
  if (value === undefined) {
    return field.isOptional === true ? [] : [`${name} is missing`];
  }
  if (field.type === 'integer') {
    return numberProblem(name, field, value);
  }
  if (field.type === 'array') {
    return Array.isArray(value) ? [] : [`${name} must be a list`];
  }
  return typeof value === field.type ? [] : [`${name} must be a ${field.type}`];
}

function numberProblem(name: string, field: InputField, value: unknown): readonly string[] {
  const { minimum = -Infinity, maximum = Infinity } = field;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return [`${name} must be a whole number`];
  }
  if (value < minimum) {
    return [`${name} must be at least ${minimum}`];
  }
  return value > maximum ? [`${name} must be at most ${maximum}`] : [];
}

function names(fields: InputFields): string {
  return Object.keys(fields).join(', ');
}

function invalid(problems: readonly string[]): MassGenError {
  return new MassGenError('tool/invalid-input', `Nothing was done: ${problems.join('; ')}.`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
