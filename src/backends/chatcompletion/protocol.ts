import type { BackendPart, ModelCapabilities, ModelRequest } from '../../core/ports/model-backend';
import { ToolNames } from '../wire/tool-names';
import type { AnswerReader } from '../wire/answer-reader';
import type { WireProtocol } from '../wire/wire-backend';
import { type Post, ask } from '../wire/read-answer';
import { inCommonWords } from './faults';
import { ChunkReader } from './reader';
import {
  type ChatBody,
  type ChatTarget,
  droppableMembers,
  outputFormat,
  toChatBody,
} from './request';

export interface ChatProtocolParts {
  readonly target: ChatTarget;
  /** For people. */
  readonly host: string;
  readonly capabilities: ModelCapabilities;
  readonly post: Post;
}

/** Chat completions as one service speaks them. */
export class ChatProtocol implements WireProtocol<ChatBody> {
  readonly capabilities: ModelCapabilities;
  readonly droppable = droppableMembers;
  readonly outputFormat = outputFormat;
  readonly #parts: ChatProtocolParts;

  constructor(parts: ChatProtocolParts) {
    this.#parts = parts;
    this.capabilities = parts.capabilities;
  }

  toBody(request: ModelRequest, refused: ReadonlySet<string>): ChatBody {
    return toChatBody(request, this.#parts.target, refused);
  }

  /** Only what somebody has set is worth a word. */
  onRefused(name: string): BackendPart | undefined {
    const { target, host } = this.#parts;
    const { model, options } = target.settings;
    return options[name] === undefined
      ? undefined
      : {
          ...{ type: 'notice', code: 'setting-left-out' },
          message: `${host} does not take ${name} for ${model}; it is left out.`,
        };
  }

  createReader(request: ModelRequest): AnswerReader {
    const { host, target } = this.#parts;
    const { quirks, origin } = target;
    return new ChunkReader({
      ...{ host, request, names: new ToolNames(request.tools) },
      origin: quirks.thinkingBack === 'never' ? undefined : origin,
      tellsCost: quirks.tellsCost === true,
      hasShortCallIds: quirks.hasShortCallIds === true,
    });
  }

  open(
    body: ChatBody,
    onBytes: () => void,
    signal: AbortSignal,
  ): AsyncIterable<readonly unknown[]> {
    const send = async (): Promise<Response> => this.#parts.post({ ...body, stream: true }, signal);
    return ask(send, { onBytes, inCommonWords }, signal);
  }
}
