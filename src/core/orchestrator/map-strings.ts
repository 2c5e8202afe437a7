/** The same JSON data with every text changed, except members named `type`, which say what the data is. */
export function mapStrings<T>(value: T, change: (text: string) => string): T;
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') {
    return change(value);
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => mapStrings(item, change));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]: [string, unknown]) => [
        key,
        key === 'type' ? member : mapStrings(member, change),
      ]),
    );
  }
  return value;
}
