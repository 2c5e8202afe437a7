// What it means how an answer ended.
import { MassGenError } from '../../core/errors';

const filtered: Readonly<Record<string, string>> = {
  SAFETY: 'its safety filter objected',
  RECITATION: 'it repeats a source too closely',
  LANGUAGE: 'it is in a language that the model does not support',
  BLOCKLIST: 'it contains a word of a list of blocked words',
  PROHIBITED_CONTENT: 'its content is prohibited',
  SPII: 'it contains personal data',
  IMAGE_SAFETY: 'its safety filter objected to a picture',
  IMAGE_PROHIBITED_CONTENT: 'the content of a picture is prohibited',
  IMAGE_RECITATION: 'a picture repeats a source too closely',
};

/** The model may do better when it is asked again. */
const passing: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'the model wrote a call of a tool that cannot be read',
  UNEXPECTED_TOOL_CALL: 'the model called a tool that it was not offered',
  TOO_MANY_TOOL_CALLS: 'the model made too many calls of tools in a row',
  MALFORMED_RESPONSE: 'the model wrote an answer that cannot be read',
  CONTINUATION: 'the answer was interrupted, and the service did not say how to go on',
};

/** `FUNCTION_CALL`: of services of others that speak this interface, for an answer that stopped for its calls. */
const whole: readonly string[] = ['STOP', 'MAX_TOKENS', 'FUNCTION_CALL'];

/** `undefined` for an answer that came whole or to its length limit. */
export function faultOfEnd(finishReason: string, host: string): MassGenError | undefined {
  if (whole.includes(finishReason)) {
    return undefined;
  }
  const objection = filtered[finishReason];
  if (objection !== undefined) {
    return new MassGenError(
      'backend/content-filtered',
      `${host} held the answer back: ${objection} (${finishReason}).`,
      { hint: 'Word the task differently, or use another model.' },
    );
  }
  if (finishReason === 'MISSING_THOUGHT_SIGNATURE') {
    return new MassGenError(
      'backend/bad-request',
      `${host} misses what the model had thought before an earlier call (${finishReason}).`,
    );
  }
  const detail = passing[finishReason] ?? 'the service gives no other reason';
  return new MassGenError(
    'backend/bad-response',
    `${host} broke the answer off: ${detail} (${finishReason}).`,
    { retryable: true },
  );
}

export function blockedPrompt(blockReason: string, host: string): MassGenError {
  return new MassGenError(
    'backend/content-filtered',
    `${host} does not answer this prompt (${blockReason}).`,
    { hint: 'Word the task differently, use another model, or loosen safety_settings.' },
  );
}

export function cutStream(host: string): MassGenError {
  return new MassGenError(
    'backend/network',
    `${host} ended the stream in the middle of the answer.`,
    { retryable: true },
  );
}
