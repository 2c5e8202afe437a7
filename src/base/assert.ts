/** Marks a branch that the type system proves unreachable; throws with the offending value when data lied about its type. */
export function assertNever(value: never, what: string): never {
  throw new Error(`unreachable ${what}: ${JSON.stringify(value)}`);
}

/** Narrows away `undefined` where an invariant holds that the compiler cannot see; `why` names the invariant. */
export function defined<T>(value: T | undefined, why: string): T {
  if (value === undefined) {
    throw new Error(`invariant broken: ${why}`);
  }
  return value;
}

/** The error itself, or one made from whatever else was thrown. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) {
    return thrown;
  }
  return new Error(typeof thrown === 'string' ? thrown : `thrown: ${JSON.stringify(thrown)}`);
}
