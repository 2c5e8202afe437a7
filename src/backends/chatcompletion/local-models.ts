import type { Endpoint } from '../wire/endpoint';
import type { ChatService } from './services';

/** Usual ports of servers that run a model on this machine: Ollama and LM Studio. */
const localPorts: readonly string[] = ['11434', '1234'];

/**
 * The model runs on this machine and costs nothing. Other loopback servers may be gateways to a paid service, and so are the
 * cloud models of Ollama.
 */
export function isLocalModel(service: ChatService, { origin }: Endpoint, model: string): boolean {
  const isServer = service.isLocal === true || localPorts.includes(new URL(origin).port);
  return isServer && !/[:-]cloud$/.test(model);
}
