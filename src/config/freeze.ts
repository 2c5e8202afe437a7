/** Freezes plain data all the way down and answers it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) {
      deepFreeze<unknown>(member);
    }
  }
  return value;
}
