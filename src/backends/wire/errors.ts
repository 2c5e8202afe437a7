// Turns what went wrong on the wire into typed errors that carry the service's own sentence and what the user can do.
import { secretForms } from '../../base/secret-forms';
import { clip } from '../../base/text';
import { namesFileKey } from '../../base/variables';
import { type ErrorCode, MassGenError } from '../../core/errors';
import { asObject, asText } from './json-reading';
import type { WireFault } from './wire-fault';

export interface FaultContext {
  /** Host for people. */
  readonly host: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly keyName: string | undefined;
  readonly apiKey: string | undefined;
  /** Unix ms, for a `retry-after` that is a date. */
  readonly now: number;
}

type StatusFault = Extract<WireFault, { kind: 'status' }>;

interface Verdict {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly hint?: string;
}

export function toMassGenError(fault: WireFault, context: FaultContext): MassGenError {
  switch (fault.kind) {
    case 'status':
      return toStatusError(fault, context);
    case 'connection':
      return toConnectionError(fault.cause, context);
    case 'malformed':
      return new MassGenError(
        'backend/bad-response',
        withoutKey(`${context.host} sent a stream that cannot be read: ${fault.detail}`, context),
        { retryable: true },
      );
  }
}

function toStatusError(fault: StatusFault, context: FaultContext): MassGenError {
  const status = statusOf(fault);
  const verdict = judge(fault, status, context);
  const asked = fault.header('x-should-retry');
  const retryAfterMs = retryAfter(fault, context.now);
  const said = sentenceOf(fault, context);
  const place = status === 0 ? context.host : `${context.host} (${status})`;
  return new MassGenError(
    verdict.code,
    said === '' ? `${place} gave no reason.` : `${place}: ${said}`,
    {
      retryable: asked === undefined ? verdict.retryable : asked === 'true' && !isFinal(verdict),
      ...(verdict.hint === undefined ? {} : { hint: verdict.hint }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

/** Nothing changes by asking again, whatever a header says. */
function isFinal({ code }: Verdict): boolean {
  return finalCodes.has(code);
}

const finalCodes: ReadonlySet<ErrorCode> = new Set([
  ...(['backend/auth', 'backend/no-permission', 'backend/context-overflow'] as const),
  'backend/content-filtered',
]);

/** Some gateways send the status of the service behind them inside a stream, as a number in `code`. */
function statusOf(fault: StatusFault): number {
  if (fault.status !== 0) {
    return fault.status;
  }
  const code = Number(asObject(fault.body)?.['code']);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : 0;
}

function judge(fault: StatusFault, status: number, context: FaultContext): Verdict {
  const body = asObject(fault.body);
  const named =
    judgeName(asText(body?.['code']), context) ?? judgeName(asText(body?.['type']), context);
  if (named !== undefined) {
    return named;
  }
  switch (status) {
    case 400:
    case 422:
      return { code: 'backend/bad-request', retryable: false };
    case 401:
      return { code: 'backend/auth', retryable: false, hint: keyHint(context) };
    case 402:
      return { code: 'backend/no-permission', retryable: false, hint: creditHint };
    case 403:
      return {
        code: 'backend/no-permission',
        retryable: false,
        hint: `Check that the account behind the key may use ${context.model}.`,
      };
    case 404:
      return {
        code: 'backend/not-found',
        retryable: false,
        hint: `Check the model name "${context.model}" and base_url ${context.baseUrl}.`,
      };
    case 413:
      return { code: 'backend/context-overflow', retryable: false, hint: overflowHint };
    case 429:
      return { code: 'backend/rate-limited', retryable: true };
    case 503:
    case 529:
      return { code: 'backend/overloaded', retryable: true };
    default:
      return judgeOther(status, context);
  }
}

function judgeOther(status: number, context: FaultContext): Verdict {
  if (status >= 300 && status < 400) {
    return {
      code: 'backend/bad-request',
      retryable: false,
      hint: `Redirects are not followed, so that the key reaches only ${context.host}. Write the final address as base_url.`,
    };
  }
  // 0: an error inside a stream. 408, 409 and the other 5xx pass as a rule.
  const isPassing = status === 0 || status === 408 || status === 409 || status >= 500;
  return isPassing
    ? { code: 'backend/bad-response', retryable: true }
    : { code: 'backend/bad-request', retryable: false };
}

const creditHint = 'Check the credit and the billing settings of the account behind the key.';
const overflowHint = 'Give the agents a shorter task, or use a model with a larger context window.';

/** Codes and types that say more than the status. */
function judgeName(name: string, context: FaultContext): Verdict | undefined {
  switch (name) {
    case 'context_length_exceeded':
    case 'exceed_context_size_error':
      return { code: 'backend/context-overflow', retryable: false, hint: overflowHint };
    case 'insufficient_quota':
      // Not a rate limit, although it comes as one: no wait helps.
      return { code: 'backend/no-permission', retryable: false, hint: creditHint };
    case 'content_filter':
      return { code: 'backend/content-filtered', retryable: false };
    case 'tool_use_failed':
      // The model wrote a call that the service could not read; the next one may be whole.
      return { code: 'backend/bad-response', retryable: true };
    case 'invalid_api_key':
    case 'authentication_error':
      return { code: 'backend/auth', retryable: false, hint: keyHint(context) };
    case 'rate_limit_exceeded':
    case 'rate_limit_error':
      return { code: 'backend/rate-limited', retryable: true };
    case 'overloaded_error':
      return { code: 'backend/overloaded', retryable: true };
    default:
      return undefined;
  }
}

function keyHint(context: FaultContext): string {
  return context.keyName === undefined
    ? 'This service asks for a key: name one with api_key: ${NAME} in the team file.'
    : namesFileKey(context.keyName)
      ? 'Check the key that stands in the team file.'
      : `Check the key stored as ${context.keyName}.`;
}

/** The wait that the service asks for, ms. */
function retryAfter(fault: StatusFault, now: number): number | undefined {
  const exact = fault.header('retry-after-ms')?.trim() ?? '';
  const inMs = exact === '' ? Number.NaN : Number(exact);
  if (Number.isFinite(inMs) && inMs >= 0) {
    return inMs;
  }
  const written = fault.header('retry-after');
  if (written === undefined || written.trim() === '') {
    return undefined;
  }
  const seconds = Number(written);
  if (Number.isFinite(seconds)) {
    return seconds >= 0 ? seconds * 1000 : undefined;
  }
  const date = Date.parse(written);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** What the service says, on one line and without the key; `''` when it sent a page or nothing. */
function sentenceOf(fault: StatusFault, context: FaultContext): string {
  const body = asObject(fault.body);
  const text =
    asText(body?.['message']) ||
    asText(body?.['detail']) ||
    asText(fault.body) ||
    (body === undefined ? fault.text : JSON.stringify(body));
  if (/^\s*</.test(text) || text === 'status code (no body)') {
    return '';
  }
  return clip(withoutKey(text, context).replace(/\s+/g, ' ').trim(), 500);
}

function withoutKey(text: string, context: FaultContext): string {
  const forms = context.apiKey === undefined ? [] : secretForms(context.apiKey);
  return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

function toConnectionError(cause: unknown, context: FaultContext): MassGenError {
  const code = systemCodeOf(cause);
  if (code === 'ECONNREFUSED') {
    return new MassGenError('backend/network', `Nothing answers at ${context.baseUrl}.`, {
      cause,
      retryable: true,
      hint: 'Start the model server, or correct base_url.',
    });
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new MassGenError('backend/network', `${context.host} cannot be found.`, {
      cause,
      retryable: true,
      hint: 'Check the network, its DNS and proxy settings, and base_url.',
    });
  }
  if (code.includes('CERT') || code.includes('SIGNATURE')) {
    return new MassGenError(
      'backend/network',
      `The certificate of ${context.host} is not trusted (${code}).`,
      { cause, hint: 'Add the authority that issued it to the system, or correct base_url.' },
    );
  }
  if (isRefusedPort(cause)) {
    return new MassGenError(
      'backend/network',
      `The port of ${context.baseUrl} is one of those that are never connected to, because other services use them.`,
      { cause, hint: 'Let the model server listen on another port, and correct base_url.' },
    );
  }
  const detail = code === '' ? '' : ` (${code})`;
  return new MassGenError('backend/network', `The connection to ${context.host} broke${detail}.`, {
    cause,
    retryable: true,
  });
}

/** `fetch` has no code for it. */
function isRefusedPort(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    if (current.message === 'bad port') {
      return true;
    }
    current = current.cause;
  }
  return false;
}

/** The first `code` along the chain of causes, e.g. `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string') {
      return current.code;
    }
    if (current instanceof AggregateError && current.errors.length > 0) {
      current = current.errors[0];
    } else {
      current = current.cause;
    }
  }
  return '';
}
