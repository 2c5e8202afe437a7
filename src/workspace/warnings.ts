/** Tells people about something that was left out. `code` is kebab-case and stable, `message` one sentence. */
export type Warn = (code: string, message: string) => void;

/** The same warning reaches `warn` once. */
export function warnOnce(warn: Warn): Warn {
  const told = new Set<string>();
  return (code, message) => {
    const key = `${code}\n${message}`;
    if (!told.has(key)) {
      told.add(key);
      warn(code, message);
    }
  };
}
