import * as vscode from 'vscode';
import { onAbort, raceAbort } from '../../base/abort';
import { clip } from '../../base/text';
import type { AnswerReader } from '../../backends/wire/answer-reader';
import type { WireProtocol } from '../../backends/wire/wire-backend';
import { MassGenError } from '../../core/errors';
import type { ModelCapabilities, ModelRequest } from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';
import { abilitiesOf } from './lm-abilities';
import { isModelGone, toBackendError } from './lm-errors';
import { toLmMessages, toLmTools } from './lm-messages';
import { Counted, LmReader, outputOf } from './lm-reader';

/** The most tools that the editor's own vendor takes in one request. */
const mostTools = 128;
const ownVendor = 'copilot';

interface LmBody {
  readonly messages: vscode.LanguageModelChatMessage[];
  readonly options: vscode.LanguageModelChatRequestOptions;
}

/** One of the editor's language models; its wire is the API of the editor. */
export class LmProtocol implements WireProtocol<LmBody> {
  readonly capabilities: ModelCapabilities;
  readonly droppable: ReadonlySet<string> = new Set();
  readonly #select: (signal: AbortSignal) => Promise<vscode.LanguageModelChat>;
  #model: vscode.LanguageModelChat;

  /** `select` looks the same model up again; rejects when it is not offered any more. */
  constructor(
    model: vscode.LanguageModelChat,
    select: (signal: AbortSignal) => Promise<vscode.LanguageModelChat>,
  ) {
    this.#model = model;
    this.#select = select;
    this.capabilities = abilitiesOf(model);
  }

  toBody(request: ModelRequest): LmBody {
    checkTools(request, this.#model);
    return { messages: toLmMessages(request), options: optionsFor(request) };
  }

  createReader(): AnswerReader {
    return new LmReader();
  }

  /** Parts of the editor's own classes, then `Counted`. */
  async *open(
    body: LmBody,
    onPart: () => void,
    signal: AbortSignal,
  ): AsyncGenerator<readonly unknown[]> {
    const source = new vscode.CancellationTokenSource();
    // The provider sees by its token alone that it is to stop.
    const tie = onAbort(signal, () => source.cancel());
    try {
      for await (const part of this.#found(body, source.token, signal)) {
        onPart();
        yield [part];
      }
    } catch (error) {
      throw toBackendError(error);
    } finally {
      tie.dispose();
      source.cancel();
      source.dispose();
    }
  }

  /** A model is another one after its provider has come back; the old one is then not found, also in mid-request. */
  async *#found(
    body: LmBody,
    token: vscode.CancellationToken,
    signal: AbortSignal,
  ): AsyncGenerator {
    let hasBegun = false;
    try {
      for await (const part of this.#parts(body, token, signal)) {
        hasBegun = true;
        yield part;
      }
      return;
    } catch (error) {
      if (hasBegun || signal.aborted || !isModelGone(error)) {
        throw error;
      }
      this.#model = await this.#select(signal);
    }
    yield* this.#parts(body, token, signal);
  }

  async *#parts(
    { messages, options }: LmBody,
    token: vscode.CancellationToken,
    signal: AbortSignal,
  ): AsyncGenerator {
    // A person may be asked for consent here, and a provider may never answer.
    const response = await raceAbort(
      Promise.resolve(this.#model.sendRequest(messages, options, token)),
      signal,
    );
    let output = '';
    const iterator = response.stream[Symbol.asyncIterator]();
    // A provider may never end its stream by itself, not even when it is told to.
    let next = await raceAbort(iterator.next(), signal);
    while (next.done !== true) {
      output += outputOf(next.value);
      yield next.value;
      next = await raceAbort(iterator.next(), signal);
    }
    const usage = await raceAbort(this.#count(messages, output, token), signal);
    if (usage !== undefined) {
      yield new Counted(usage);
    }
  }

  /** Tokens as the model itself counts text; unknown when it cannot. */
  async #count(
    messages: readonly vscode.LanguageModelChatMessage[],
    output: string,
    token: vscode.CancellationToken,
  ): Promise<Usage | undefined> {
    try {
      const [outputTokens, input] = await Promise.all([
        this.#model.countTokens(output, token),
        Promise.all(messages.map((message) => this.#model.countTokens(message, token))),
      ]);
      return { inputTokens: input.reduce((sum, count) => sum + count, 0), outputTokens };
    } catch {
      return undefined;
    }
  }
}

function optionsFor(request: ModelRequest): vscode.LanguageModelChatRequestOptions {
  const { Auto, Required } = vscode.LanguageModelChatToolMode;
  return {
    justification: vscode.l10n.t(
      'A team of agents works on your task: {0}',
      clip(request.task, 200),
    ),
    tools: toLmTools(request),
    // Providers can demand a call of one tool only.
    toolMode: request.tools.length === 1 ? Required : Auto,
    ...(request.maxOutputTokens === undefined
      ? {}
      : { modelOptions: { max_tokens: request.maxOutputTokens } }),
  };
}

function checkTools({ tools }: ModelRequest, { vendor }: vscode.LanguageModelChat): void {
  if (vendor === ownVendor && tools.length > mostTools) {
    throw new MassGenError(
      'backend/bad-request',
      `This agent has ${tools.length} tools; models of the editor take at most ${mostTools}.`,
      { hint: 'Take servers or tools away from it, or allow it fewer of them.' },
    );
  }
}
