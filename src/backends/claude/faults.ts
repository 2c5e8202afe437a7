// Errors of the service, told apart by what it names first and by its sentences only where it names nothing.
import { asObject, asText } from '../wire/json-reading';
import { WireError, type WireFault } from '../wire/wire-fault';
import { earlierThinking, outputFormat } from './request';

type ErrorBody = Readonly<Record<string, unknown>>;

/** The status that goes with a type, for errors inside a stream, which come without one. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** An `error` event inside a stream. */
export function streamFault(event: unknown): WireError {
  const error = asObject(asObject(event)?.['error']);
  const status = statusOfType[asText(error?.['type'])] ?? 0;
  return new WireError(named({ kind: 'status', status, body: error ?? event, text: '', header }));
}

function header(): undefined {
  return undefined;
}

/** The same fault with `code` and `param`, by which all services are understood, where this one says it otherwise. */
export function named(fault: WireFault): WireFault {
  const body = fault.kind === 'status' ? asObject(fault.body) : undefined;
  if (fault.kind !== 'status' || body === undefined) {
    return fault;
  }
  const errorCode = asText(asObject(body['details'])?.['error_code']);
  if (/spend_limit|billing|on_hold/.test(errorCode) || body['type'] === 'billing_error') {
    // Comes as a rate limit, with headers that ask to come back; no wait helps.
    return { ...fault, body: { ...body, code: 'insufficient_quota' }, header };
  }
  const isRefused = fault.status === 400 || fault.status === 422;
  if (isRefused && isOverflow(errorCode, body)) {
    return { ...fault, body: { ...body, code: 'context_length_exceeded' } };
  }
  const param = isRefused ? refusedMember(asText(body['message'])) : undefined;
  return param === undefined ? fault : { ...fault, body: { ...body, param } };
}

/** The service names no code for a request that is longer than the window, so that its sentence is the last resort. */
function isOverflow(errorCode: string, body: ErrorBody): boolean {
  if (errorCode !== '') {
    // Pictures that are too large for a conversation with many of them are left out like what is too long.
    return /context|prompt_too_long|image_dimensions/.test(errorCode);
  }
  return /prompt is too long|exceeds? (the )?(model's )?(maximum )?context (limit|length|window)/i.test(
    asText(body['message']),
  );
}

/** Nor does it name the member that a model refuses otherwise than in words: by a path in front, or in quotes. */
function refusedMember(sentence: string): string | undefined {
  const isAboutThoughts = sentence.includes('`thinking`');
  if (isAboutThoughts && /`signature`|cannot be modified/.test(sentence)) {
    return earlierThinking;
  }
  if (sentence.includes(outputFormat)) {
    return outputFormat;
  }
  if (sentence.includes('cache_control')) {
    return 'cache_control';
  }
  if (/thinking\b.*\bnot supported|not support (extended |adaptive )?thinking/i.test(sentence)) {
    return 'thinking';
  }
  const path = /^["`]?([a-z_]+)(?:\.[\w.]+)?["`]?(?::| is | does | and )/.exec(sentence)?.[1];
  return path ?? (/\beffort\b/.test(sentence) ? 'output_config' : undefined);
}
