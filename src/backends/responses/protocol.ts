import type { BackendSettings } from '../../core/ports/backend-kind';
import type { BackendPart, ModelCapabilities } from '../../core/ports/model-backend';
import { findModel } from '../catalog/lookup';
import type { Endpoint } from '../wire/endpoint';
import { asObject } from '../wire/json-reading';
import type { WireProtocol } from '../wire/wire-backend';
import { type Post, ask } from '../wire/read-answer';
import { inCommonWords } from './faults';
import { ResponsesReader } from './reader';
import {
  type ResponsesBody,
  droppableMembers,
  fixedMembers,
  outputFormat,
  toBody,
  toolNamesOf,
} from './request';
import type { ResponsesService } from './service';
import { notice, refusalNotice, tuningOf } from './tuning';

export interface ProtocolParts {
  readonly settings: BackendSettings;
  readonly service: ResponsesService;
  readonly endpoint: Endpoint;
  readonly post: Post;
  /** What people are told with the first answer. */
  readonly notices: readonly BackendPart[];
}

/** How one agent's service is spoken to. */
export function responsesProtocol(parts: ProtocolParts): WireProtocol<ResponsesBody> {
  const { settings, service, endpoint, post } = parts;
  const tuning = tuningOf(settings, service);
  const origin = `responses ${endpoint.host} ${settings.model}`;
  let notices = [...parts.notices, ...tuning.notices, ...fixedNotices(settings)];
  const takeNotices = (): readonly BackendPart[] => {
    const taken = notices;
    notices = [];
    return taken;
  };
  return {
    capabilities: capabilitiesOf(settings, service),
    droppable: droppableMembers,
    outputFormat,
    toBody: (request, refused) => toBody(request, refused, { settings, service, tuning, origin }),
    onRefused: (name) => refusalNotice(name, settings),
    createReader: (request) =>
      new ResponsesReader({
        ...{ host: endpoint.host, origin, request, takeNotices },
        names: toolNamesOf(request),
      }),
    open: (body, onBytes, signal) =>
      ask(async () => post({ ...body }, signal), { onBytes, inCommonWords }, signal),
  };
}

function capabilitiesOf(settings: BackendSettings, service: ResponsesService): ModelCapabilities {
  const limit = settings.options['max_tokens'];
  return {
    hasTools: true,
    hasParallelToolCalls: true,
    media: service.takesAllMedia ? ['image', 'document'] : ['image'],
    contextWindowTokens: findModel(service.models, settings.model)?.contextWindowTokens,
    // Only what the user set: services count an announced limit against their rate limits.
    maxOutputTokens: typeof limit === 'number' ? limit : undefined,
  };
}

function fixedNotices({ options }: BackendSettings): readonly BackendPart[] {
  const written = Object.keys(asObject(options['extra_body']) ?? {});
  return written
    .filter((name) => fixedMembers.has(name))
    .map((name) => notice('setting-left-out', `extra_body cannot set ${name}; it is left out.`));
}
