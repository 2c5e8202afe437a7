export type ParsedArguments =
  | { readonly kind: 'input'; readonly input: Readonly<Record<string, unknown>> }
  /** `problem` says what is wrong, for the model. */
  | { readonly kind: 'malformed'; readonly problem: string };

/** Arguments of a call as the model wrote them. An empty text counts as an empty object: some models send it for calls without parameters. */
export function parseArguments(json: string): ParsedArguments {
  if (json.trim() === '') {
    return { kind: 'input', input: {} };
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'malformed', problem: `The arguments are not valid JSON: ${detail}` };
  }
  if (!isRecord(value)) {
    return { kind: 'malformed', problem: 'The arguments must be a JSON object.' };
  }
  return { kind: 'input', input: value };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
