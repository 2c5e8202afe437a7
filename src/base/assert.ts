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
