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
  const added = addedTo(body, sentence);
  return Object.keys(added).length === 0
    ? fault
    : { ...fault, body: { ...(body ?? { message: sentence }), ...added } };
}

type Body = Readonly<Record<string, unknown>>;

/** Members of a body that say more than the service's own. */
function addedTo(body: Body | undefined, sentence: string): Body {
  if (isGrokOverflow(sentence)) {
    return { code: 'context_length_exceeded' };
  }
  const code = asText(body?.['code']);
  const same = sameCodes[code];
  const param = refusedPart(code, sentence) ?? asText(body?.['param']).replace(/\[.*$/, '');
  return {
    ...(same === undefined ? {} : { code: same }),
    ...(param === '' ? {} : { param }),
  };
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
  if (/encrypted content is not supported/i.test(sentence)) {
    return 'include';
  }
  return isGrokEffort(sentence) ? 'reasoning.effort' : undefined;
}

/** xAI names a parameter in the sentence alone, and this one in the spelling of another interface. */
function isGrokEffort(sentence: string): boolean {
  return /(not support|not supported).*reasoning_?effort/i.test(sentence);
}
