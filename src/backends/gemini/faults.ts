// Brings what the service says about an error into the form that all services share: a status, known words in `code`, and a
// wait as a header.
import { asArray, asObject, asText } from '../wire/json-reading';
import type { WireFault } from '../wire/wire-fault';

type Header = (name: string) => string | undefined;

/** A refusal as it came. Without server-sent events the service wraps an error into a list. */
export function inCommonWords(fault: WireFault): WireFault {
  if (fault.kind !== 'status' || fault.status === 0) {
    return fault;
  }
  const { status, body, header } = fault;
  const first = asObject(Array.isArray(body) ? body[0] : body);
  return first === undefined ? fault : toFault(status, asObject(first['error']) ?? first, header);
}

/** An error in the middle of a stream. */
export function streamFault(error: unknown): WireFault {
  const members = asObject(error);
  const code = members?.['code'];
  const isStatus = typeof code === 'number' && code >= 400 && code < 600;
  return members === undefined
    ? { kind: 'status', status: 0, body: undefined, text: asText(error), header: noHeader }
    : toFault(isStatus ? code : 0, members, noHeader);
}

function toFault(
  status: number,
  error: Readonly<Record<string, unknown>>,
  header: Header,
): WireFault {
  const details = asArray(error['details']).map((detail) => asObject(detail) ?? {});
  const message = asText(error['message']);
  const waitMs = waitOf(details);
  const known = knownName(status, message, details);
  const param = refusedMember(message, details);
  return {
    kind: 'status',
    status,
    body: {
      message,
      ...(known === undefined ? {} : { code: known }),
      ...(param === undefined ? {} : { param }),
    },
    text: '',
    header: (name) =>
      name === 'retry-after-ms' && waitMs !== undefined
        ? (header(name) ?? String(waitMs))
        : header(name),
  };
}

type Details = readonly Readonly<Record<string, unknown>>[];

const tooLong = /(token count|payload size).*exceeds|exceeds the maximum number of tokens/i;

function knownName(status: number, message: string, details: Details): string | undefined {
  if (details.some((detail) => detail['reason'] === 'API_KEY_INVALID')) {
    return 'invalid_api_key';
  }
  // The service has no code for it: too long a prompt is one invalid argument among others.
  if (status === 400 && tooLong.test(message)) {
    return 'context_length_exceeded';
  }
  // A wait of minutes does not help when the quota of a day is used up.
  const quotas = details
    .flatMap((detail) => asArray(detail['violations']))
    .map((one) => asText(asObject(one)?.['quotaId']));
  return status === 429 && quotas.some((quota) => quota.includes('PerDay'))
    ? 'insufficient_quota'
    : undefined;
}

/** `retryDelay`, e.g. `7s`, ms. */
function waitOf(details: Details): number | undefined {
  const written = details.map((detail) => asText(detail['retryDelay'])).find((one) => one !== '');
  const seconds = Number(/^(\d+(?:\.\d+)?)s$/.exec(written ?? '')?.[1] ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.ceil(seconds * 1000) : undefined;
}

/** The member of the body that the service does not know or take, in the spelling of JSON. */
function refusedMember(message: string, details: Details): string | undefined {
  const unknown = /Unknown name "([A-Za-z_]+)"/.exec(message)?.[1];
  if (unknown !== undefined) {
    return camelCase(unknown);
  }
  const field = details
    .flatMap((detail) => asArray(detail['fieldViolations']))
    .map((one) => asText(asObject(one)?.['field']))
    .find((one) => one !== '');
  if (field !== undefined) {
    return camelCase(field.split('.').at(-1) ?? field);
  }
  const thinking = /\bthinking[ _]?(level|budget)\b/i.exec(message)?.[1]?.toLowerCase();
  return thinking === undefined
    ? undefined
    : thinking === 'level'
      ? 'thinkingLevel'
      : 'thinkingBudget';
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

const noHeader: Header = () => undefined;
