import type { BackendSettings } from '../../core/ports/backend-kind';
import type { BackendPart, ModelCapabilities, ModelRequest } from '../../core/ports/model-backend';
import { findModel } from '../catalog/lookup';
import type { AnswerReader } from '../wire/answer-reader';
import type { WireProtocol } from '../wire/wire-backend';
import { ask } from '../wire/read-answer';
import type { geminiPost } from './client.lazy';
import { inCommonWords } from './faults';
import { lineOf, type ModelLine } from './model-line';
import { geminiModels } from './models';
import { GeminiReader } from './reader';
import { droppableMembers, outputFormat, toGeminiBody } from './request';
import { thinkingNoticeOf } from './thinking';
import { ToolNames } from '../wire/tool-names';
import type { GeminiBody } from './wire-body';

export interface GeminiProtocolParts {
  readonly model: string;
  readonly settings: BackendSettings;
  readonly host: string;
  readonly post: ReturnType<typeof geminiPost>;
}

export class GeminiProtocol implements WireProtocol<GeminiBody> {
  readonly capabilities: ModelCapabilities;
  readonly droppable = droppableMembers;
  readonly outputFormat = outputFormat;
  readonly #parts: GeminiProtocolParts;
  readonly #line: ModelLine;
  readonly #origin: string;
  /** Where the answers to requests go on that the service has interrupted. */
  readonly #tokens = new WeakMap<ModelRequest, string>();

  /** Not told yet. */
  #notices: readonly BackendPart[];

  constructor(parts: GeminiProtocolParts) {
    this.#parts = parts;
    this.#line = lineOf(parts.model);
    this.#origin = `gemini ${parts.host} ${parts.model}`;
    const notice = thinkingNoticeOf({ ...parts.settings, model: parts.model }, this.#line);
    this.#notices = notice === undefined ? [] : [{ type: 'notice', ...notice }];
    const known = findModel(geminiModels, parts.model);
    const limit = parts.settings.options['max_tokens'];
    this.capabilities = {
      hasTools: true,
      hasParallelToolCalls: true,
      media: ['image', 'audio', 'video', 'document'],
      contextWindowTokens: known?.contextWindowTokens,
      // Only what the user set: services count an announced limit against their rate limits.
      maxOutputTokens: typeof limit === 'number' ? limit : undefined,
    };
  }

  toBody(request: ModelRequest, refused: ReadonlySet<string>): GeminiBody {
    const { model, settings } = this.#parts;
    const names = new ToolNames(request.tools);
    const rules = { model, settings, refused, names, line: this.#line, origin: this.#origin };
    const body = toGeminiBody(request, rules);
    const continuationToken = this.#tokens.get(request);
    return continuationToken === undefined
      ? body
      : { ...body, content: { ...body.content, continuationToken } };
  }

  /** A form that is said differently is nobody's concern; a setting that is dropped is. */
  onRefused(name: string): BackendPart | undefined {
    const { model } = this.#parts;
    return ['parametersJsonSchema', 'includeThoughts', outputFormat].includes(name)
      ? undefined
      : {
          type: 'notice',
          code: 'setting-left-out',
          message: `${model} does not take ${name}; it is left out.`,
        };
  }

  createReader(request: ModelRequest): AnswerReader {
    return new GeminiReader(request, {
      ...{ host: this.#parts.host, origin: this.#origin },
      names: new ToolNames(request.tools),
      notices: () => {
        const notices = this.#notices;
        this.#notices = [];
        return notices;
      },
      resume: (original, token) => {
        const next = { ...original };
        this.#tokens.set(next, token);
        return next;
      },
    });
  }

  open(
    body: GeminiBody,
    onBytes: () => void,
    signal: AbortSignal,
  ): AsyncIterable<readonly unknown[]> {
    const send = async (): Promise<Response> => this.#parts.post(body, signal);
    return ask(send, { onBytes, inCommonWords }, signal);
  }
}
