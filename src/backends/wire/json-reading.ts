// Reads members of untrusted JSON without trusting its shape.

type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or `''` for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A count: a finite number from 0, or `undefined`. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Arguments of a call as the text of an object, which servers expect of every earlier call, whatever a model has written. */
export function asArguments(json: string): string {
  if (json.trim() === '') {
    return '{}';
  }
  try {
    return asObject(JSON.parse(json)) === undefined ? malformed(json) : json;
  } catch {
    return malformed(json);
  }
}

function malformed(json: string): string {
  return JSON.stringify({ malformed: json });
}
