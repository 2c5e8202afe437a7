import * as vscode from 'vscode';
import { onAbort, raceAbort } from '../../base/abort';
import { clip } from '../../base/text';
import { MassGenError } from '../../core/errors';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';
import { abilitiesOf } from './lm-abilities';
import { isModelGone, toBackendError } from './lm-errors';
import { toLmMessages, toLmTools } from './lm-messages';

/** The most tools that the editor's own vendor takes in one request. */
const mostTools = 128;
const ownVendor = 'copilot';

/** One of the editor's language models behind the port of all backends. */
export class LmBackend implements ModelBackend {
  readonly capabilities: ModelCapabilities;
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

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<BackendPart> {
    const source = new vscode.CancellationTokenSource();
    const tie = onAbort(signal, () => source.cancel());
    try {
      checkTools(request, this.#model);
      yield* this.#found(request, source.token, signal);
    } catch (error) {
      yield signal.aborted
        ? { type: 'end', reason: 'cancelled', error: toCancelled(signal) }
        : { type: 'end', reason: 'error', error: toBackendError(error) };
    } finally {
      tie.dispose();
      source.dispose();
    }
  }

  async close(): Promise<void> {
    // A model of the editor holds nothing of ours.
  }

  /** A model is another one after its provider has come back; the old one is then not found, also in mid-request. */
  async *#found(
    request: ModelRequest,
    token: vscode.CancellationToken,
    signal: AbortSignal,
  ): AsyncGenerator<BackendPart> {
    let hasBegun = false;
    try {
      for await (const part of this.#parts(request, token, signal)) {
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
    yield* this.#parts(request, token, signal);
  }

  async *#parts(
    request: ModelRequest,
    token: vscode.CancellationToken,
    signal: AbortSignal,
  ): AsyncGenerator<BackendPart> {
    const messages = toLmMessages(request);
    // A person may be asked for consent here, and a provider may never answer.
    const response = await raceAbort(
      Promise.resolve(this.#model.sendRequest(messages, optionsFor(request), token)),
      signal,
    );
    let output = '';
    let toolCalls = 0;
    for await (const part of endedBy(response.stream, token)) {
      if (part instanceof vscode.LanguageModelTextPart) {
        output += part.value;
        yield { type: 'text-delta', text: part.value };
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        toolCalls++;
        const argumentsJson = JSON.stringify(part.input);
        output += argumentsJson;
        yield { type: 'tool-call', call: { id: part.callId, name: part.name, argumentsJson } };
      }
    }
    const usage = await this.#count(messages, output, token);
    if (usage !== undefined) {
      yield { type: 'usage', usage };
    }
    if (output.trim() === '') {
      // Nothing tells a model that has nothing to say from a stream that was cut off, so it is asked again.
      throw new MassGenError('backend/bad-response', 'The model gave an empty answer.', {
        retryable: true,
      });
    }
    yield { type: 'end', reason: toolCalls > 0 ? 'tool-calls' : 'stop' };
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

/** Stops reading as soon as the token is cancelled; a provider may never end its stream by itself. */
async function* endedBy<T>(
  parts: AsyncIterable<T>,
  token: vscode.CancellationToken,
): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  let listening: vscode.Disposable | undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new vscode.CancellationError());
    listening = token.onCancellationRequested(stop);
    if (token.isCancellationRequested) stop();
  });
  // Without a reader of its own the rejection would count as unhandled when the stream ends first.
  cancelled.catch(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), cancelled]);
      if (next.done === true) {
        return;
      }
      yield next.value;
    }
  } finally {
    listening?.dispose();
  }
}

function toCancelled(signal: AbortSignal): MassGenError {
  const reason: unknown = signal.reason;
  return reason instanceof MassGenError
    ? reason
    : new MassGenError('cancelled/user', 'The run was stopped.', { cause: reason });
}
