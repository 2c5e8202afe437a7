// What compatible services say of an error in words of their own, in those that all adapters understand.
import { asObject, asText } from '../wire/json-reading';
import type { WireFault } from '../wire/wire-fault';

/** Servers without a code for a conversation that is too long; the sentence is the last resort. */
const overflows: readonly RegExp[] = [
  /maximum context length/i,
  /context (length|window|size) (is |was )?exceeded/i,
  /exceeds? (the |this )?(model'?s? )?(available |maximum )?context (length|window|size)/i,
  /(prompt|input) is too long/i,
  /longer than the (model'?s )?context (length|window)/i,
  /input length and `?max_tokens`? exceed/i,
];

export function inCommonWords(fault: WireFault): WireFault {
  if (fault.kind !== 'status') {
    return fault;
  }
  const body = asObject(fault.body);
  const sentence = asText(body?.['message']) || asText(fault.body) || fault.text;
  const isRefused = fault.status === 400 || fault.status === 422 || fault.status === 0;
  if (isRefused && overflows.some((pattern) => pattern.test(sentence))) {
    return { ...fault, body: { ...body, message: sentence, code: 'context_length_exceeded' } };
  }
  // A gateway that passes on what the service behind it has said.
  const behind = asText(asObject(body?.['metadata'])?.['raw']);
  return behind === '' ? fault : { ...fault, body: { ...body, message: `${sentence}: ${behind}` } };
}
