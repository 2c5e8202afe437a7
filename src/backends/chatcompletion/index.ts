// Every kind of backend that speaks chat completions.
import type { ModelKind } from '../../core/ports/backend-kind';
import { chatKind } from './kind';
import { type ChatService, anyService, chatServices } from './services';

/** `chatcompletion`: any service or server that speaks the protocol. */
export const chatCompletionKind: ModelKind = chatKind(
  anyService,
  'Any service or local server that speaks chat completions; needs its address and, unless it is local, a key.',
);

/** One kind for each row of the table; `chatcompletion` first. */
export const chatCompletionKinds: readonly ModelKind[] = [
  chatCompletionKind,
  ...chatServices
    .filter((service) => service !== anyService)
    .map((service) => chatKind(service, descriptionOf(service))),
];

function descriptionOf({ title, baseUrl, keyNames, isLocal }: ChatService): string {
  if (baseUrl === undefined) {
    return 'A server of vLLM or SGLang at any address; needs its address.';
  }
  return isLocal === true
    ? `${title} on this machine; needs no key.`
    : `Models of ${title}; needs a key (${keyNames.join(' or ')}).`;
}
