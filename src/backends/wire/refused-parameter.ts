import { asArray, asObject, asText } from './json-reading';
import type { WireFault } from './wire-fault';

/** The parameter that a service says it does not take, `undefined` when it complains about something else. */
export function refusedParameterOf(
  fault: WireFault,
  candidates: ReadonlySet<string>,
): string | undefined {
  if (!isUnnamedRefusal(fault)) {
    return undefined;
  }
  const body = asObject(fault.body);
  const param = asText(body?.['param']);
  const place = [param, ...placesIn(body, 0)].find((name) => candidates.has(name));
  if (place !== undefined) {
    return place;
  }
  // Compatible servers often name the parameter only in their sentence; parameter names are not ordinary words.
  const sentence = asText(body?.['message']) || asText(fault.body) || fault.text;
  const words = new Set(sentence.split(/\W+/));
  return [...candidates].find((name) => name.includes('_') && words.has(name));
}

/** The service does not take the request as it is written, and names no cause by a code that has nothing to do with that. */
export function isUnnamedRefusal(
  fault: WireFault,
): fault is Extract<WireFault, { kind: 'status' }> {
  return (
    fault.kind === 'status' &&
    (fault.status === 400 || fault.status === 422) &&
    !isNamed(asObject(fault.body))
  );
}

/** The service names another cause by a code: what its sentence mentions is advice. */
function isNamed(body: Readonly<Record<string, unknown>> | undefined): boolean {
  const codes = [
    ...['context_length_exceeded', 'exceed_context_size_error', 'content_filter'],
    ...['invalid_api_key', 'insufficient_quota'],
  ];
  return [body?.['code'], body?.['type']].some((name) => codes.includes(asText(name)));
}

/** Names on the paths of members that a validator complains about, as `loc: ["body", "top_k"]`, wherever they stand. */
function placesIn(value: unknown, depth: number): readonly string[] {
  if (depth > 4) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => placesIn(one, depth + 1));
  }
  return Object.entries(asObject(value) ?? {}).flatMap(([name, inner]) =>
    name === 'loc'
      ? asArray(inner).map(asText)
      : name === 'input'
        ? []
        : placesIn(inner, depth + 1),
  );
}
