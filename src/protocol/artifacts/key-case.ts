// Files for scripts spell their keys with underscores; the log spells them as the code does.

export function toSnakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The way back of `toSnakeKey`. */
export function toCamelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The same data with every key in the spelling of `spell`; texts and numbers stay as they are. */
export function withKeys(value: unknown, spell: (key: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => withKeys(item, spell));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [spell(key), withKeys(member, spell)]),
  );
}
