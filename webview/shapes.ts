// Small checks from which the guard of incoming messages is built.

export type Check = (value: unknown) => boolean;

export const isString: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const isBoolean: Check = (value) => typeof value === 'boolean';

export function isOneOf(...allowed: readonly string[]): Check {
  return (value) => typeof value === 'string' && allowed.includes(value);
}

export function isNullOr(check: Check): Check {
  return (value) => value === null || check(value);
}

/** A field that may be missing. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** Two numbers, e.g. the ends of a range. */
export const isPair: Check = (value) =>
  Array.isArray(value) && value.length === 2 && value.every(isNumber);

/** An object that has these fields; others are allowed, so that a newer host can add some. */
export function hasFields(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return false;
    }
    const own = new Map<string, unknown>(Object.entries(value));
    return checks.every(([name, check]) => check(own.get(name)));
  };
}

/** An object whose every value passes. */
export function isRecordOf(check: Check): Check {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(check);
}
