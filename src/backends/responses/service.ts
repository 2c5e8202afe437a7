// The services that speak this protocol, and how they differ.
import type { CatalogModel, HostedToolName } from '../../core/ports/backend-kind';
import { asArray, asObject } from '../wire/json-reading';
import { grokModels, openAiModels } from './models';

/** JSON as it goes over the wire. */
export type Item = Readonly<Record<string, unknown>>;

export interface ResponsesService {
  readonly type: 'openai' | 'grok' | 'azure_openai';
  /** Ends of the names of its hosts, where the usual key may be sent and the prices hold. */
  readonly hostEnds: readonly string[];
  readonly keyName: string;
  readonly keyHeader: 'authorization' | 'api-key';
  /** Facts of models that it may have. */
  readonly models: readonly CatalogModel[];
  /** Its models cost what the list says; elsewhere a contract decides. */
  readonly hasListPrices: boolean;
  /** How its own tools are asked for. */
  readonly hosted: Readonly<Partial<Record<HostedToolName, readonly Item[]>>>;
  /** It can be asked for what code has printed there. */
  readonly showsOutputs: boolean;
  /** It searches stores of documents that the account has there. */
  readonly hasFileSearch: boolean;
  /** It takes `instructions`; otherwise they are the first message. */
  readonly takesInstructions: boolean;
  /** It takes documents, and pictures and documents inside the result of a tool. */
  readonly takesAllMedia: boolean;
  /** Thoughts are shown only to who asks for a summary of them. */
  readonly asksForSummary: boolean;
}

export const openAiService: ResponsesService = {
  type: 'openai',
  hostEnds: ['openai.com'],
  keyName: 'OPENAI_API_KEY',
  keyHeader: 'authorization',
  models: openAiModels,
  hasListPrices: true,
  hosted: {
    'web-search': [{ type: 'web_search' }],
    'code-execution': [{ type: 'code_interpreter', container: { type: 'auto' } }],
  },
  showsOutputs: true,
  hasFileSearch: true,
  takesInstructions: true,
  takesAllMedia: true,
  asksForSummary: true,
};

export const azureService: ResponsesService = {
  ...openAiService,
  type: 'azure_openai',
  hostEnds: ['openai.azure.com', 'cognitiveservices.azure.com', 'services.ai.azure.com'],
  keyName: 'AZURE_OPENAI_API_KEY',
  keyHeader: 'api-key',
  hasListPrices: false,
};

export const grokService: ResponsesService = {
  type: 'grok',
  hostEnds: ['x.ai'],
  keyName: 'XAI_API_KEY',
  keyHeader: 'authorization',
  models: grokModels,
  hasListPrices: true,
  hosted: {
    'web-search': [{ type: 'web_search' }, { type: 'x_search' }],
    'code-execution': [{ type: 'code_interpreter' }],
  },
  showsOutputs: false,
  hasFileSearch: false,
  takesInstructions: false,
  takesAllMedia: false,
  asksForSummary: false,
};

/** The address belongs to the maker of the service, so that its usual key may go there. */
export function isOwnHost(service: ResponsesService, origin: string): boolean {
  const { hostname } = new URL(origin);
  return service.hostEnds.some((end) => hostname === end || hostname.endsWith(`.${end}`));
}

/** The objects of a list, unchecked within. */
export function itemsIn(list: unknown): readonly Item[] {
  return asArray(list).flatMap((one) => {
    const item = asObject(one);
    return item === undefined ? [] : [item];
  });
}
