/**
 * What `values` itself holds under a name that somebody wrote. Every object has members such as `constructor` beside its own,
 * and so has the environment of a process.
 */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
