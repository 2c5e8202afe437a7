// How this service is spoken to; watchdogs, cancellation and errors are those of all services.
import type { BackendSettings } from '../../core/ports/backend-kind';
import type { BackendPart, ModelCapabilities, ModelRequest } from '../../core/ports/model-backend';
import type { Endpoint } from '../wire/endpoint';
import { type Post, ask } from '../wire/read-answer';
import type { AnswerReader } from '../wire/answer-reader';
import type { WireProtocol } from '../wire/wire-backend';
import { findModel } from '../catalog/lookup';
import { familyOfClaude } from './families';
import { named } from './faults';
import { generationFor } from './generation';
import { claudeModels } from './models';
import { MessageReader } from './reader';
import {
  type MessageBody,
  type RequestRules,
  droppable,
  earlierThinking,
  outputFormat,
  toMessageBody,
} from './request';

export interface ProtocolParts {
  readonly settings: BackendSettings;
  readonly endpoint: Endpoint;
  readonly post: Post;
}

export class ClaudeProtocol implements WireProtocol<MessageBody> {
  readonly capabilities: ModelCapabilities;
  readonly droppable = droppable;
  readonly outputFormat = outputFormat;
  readonly #parts: ProtocolParts;
  readonly #rules: RequestRules;
  /** What each request stands for, by which its answer is recognized later. */
  readonly #prefixes = new WeakMap<ModelRequest, string>();
  /** Names of what the thoughts stood after that were sent so far, and of those that must not be sent again. */
  readonly #thoughts = new Set<string>();
  readonly #refusedThoughts = new Set<string>();
  #notices: readonly BackendPart[];

  constructor(parts: ProtocolParts) {
    const { settings, endpoint } = parts;
    const { model } = settings;
    const family = familyOfClaude(model);
    const known = findModel(claudeModels, model);
    const generation = generationFor(settings, family);
    this.#parts = parts;
    this.#rules = {
      ...{ settings, family, generation, modelMaxTokens: known?.maxOutputTokens },
      windowTokens: known?.contextWindowTokens,
      refusedThoughts: this.#refusedThoughts,
      origin: `anthropic ${endpoint.host} ${model}`,
    };
    this.#notices = noticeOf(model, generation.leftOut);
    this.capabilities = {
      ...{ hasTools: true, hasParallelToolCalls: true, media: ['image', 'document'] },
      contextWindowTokens: known?.contextWindowTokens,
      maxOutputTokens: known?.maxOutputTokens,
    };
  }

  toBody(request: ModelRequest, refused: ReadonlySet<string>): MessageBody {
    const { body, prefix, thoughts } = toMessageBody(request, this.#rules, refused);
    this.#prefixes.set(request, prefix);
    for (const thought of thoughts) {
      this.#thoughts.add(thought);
    }
    return body;
  }

  /** The form of an answer is asked for in words as well: nobody's concern. */
  onRefused(name: string): BackendPart | undefined {
    if (name === outputFormat) {
      return undefined;
    }
    const { host } = this.#parts.endpoint;
    if (name === earlierThinking) {
      for (const thought of this.#thoughts) {
        this.#refusedThoughts.add(thought);
      }
    }
    const message =
      name === earlierThinking
        ? `${host} does not accept its earlier thoughts any more; they are left out.`
        : `${host} does not take ${name} for ${this.#rules.settings.model}; it is left out.`;
    return { type: 'notice', code: 'setting-left-out', message };
  }

  createReader(request: ModelRequest): AnswerReader {
    const { origin, settings } = this.#rules;
    return new MessageReader({
      ...{ request, origin, host: this.#parts.endpoint.host, model: settings.model },
      prefix: () => this.#prefixes.get(request) ?? '',
      notices: () => {
        const notices = this.#notices;
        this.#notices = [];
        return notices;
      },
    });
  }

  open(
    body: MessageBody,
    onBytes: () => void,
    signal: AbortSignal,
  ): AsyncIterable<readonly unknown[]> {
    const send = async (): Promise<Response> => this.#parts.post({ ...body }, signal);
    return ask(send, { onBytes, inCommonWords: named }, signal);
  }
}

function noticeOf(model: string, leftOut: readonly string[]): readonly BackendPart[] {
  if (leftOut.length === 0) {
    return [];
  }
  const message = `${model} does not take ${leftOut.join(', ')} with these settings; left out.`;
  return [{ type: 'notice', code: 'setting-left-out', message }];
}
