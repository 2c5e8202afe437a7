// What this protocol's services call by names of their own, in the words that all adapters understand.
import { asObject, asText } from '../wire/json-reading';
import type { WireFault } from '../wire/wire-fault';
import { ownThoughts } from './request';

/** Codes of these services and the ones that mean the same. */
const sameCodes: Readonly<Record<string, string>> = {
  invalid_prompt: 'content_filter',
  server_is_overloaded: 'overloaded_error',
  slow_down: 'overloaded_error',
};

export function inCommonWords(fault: WireFault): WireFault {
  if (fault.kind !== 'status') {
    return fault;
  }
  const body = asObject(fault.body);
  const sentence = asText(body?.['message']) || asText(fault.body) || fault.text;
  if (isGrokOverflow(sentence)) {
    return { ...fault, body: { message: sentence, code: 'context_length_exceeded' } };
  }
  if (body === undefined) {
    return fault;
  }
  const code = asText(body['code']);
  const param = refusedPart(code, sentence) ?? asText(body['param']).replace(/\[.*$/, '');
  return { ...fault, body: { ...body, code: sameCodes[code] ?? code, param } };
}

/** xAI names no code for a conversation that is too long, only a sentence. */
function isGrokOverflow(sentence: string): boolean {
  return /maximum prompt length is \d+ but the request contains/i.test(sentence);
}

/** Refusals that name no parameter, or another one than the cause. */
function refusedPart(code: string, sentence: string): string | undefined {
  if (code === 'invalid_encrypted_content') {
    return ownThoughts;
  }
  return /encrypted content is not supported/i.test(sentence) ? 'include' : undefined;
}
