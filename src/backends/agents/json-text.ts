/** What a program sent, as text again; `undefined` for what is nested too deeply to be written. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
