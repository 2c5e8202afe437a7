import * as vscode from 'vscode';
import { onAbort } from '../../base/abort';
import { clip } from '../../base/text';
import { MassGenError } from '../../core/errors';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';
import { toBackendError } from './lm-errors';
import { toLmMessages, toLmTools } from './lm-messages';

/** One of the editor's language models behind the port of all backends. */
export class LmBackend implements ModelBackend {
  readonly capabilities: ModelCapabilities;
  readonly #model: vscode.LanguageModelChat;

  constructor(model: vscode.LanguageModelChat) {
    this.#model = model;
    this.capabilities = {
      hasTools: true,
      hasParallelToolCalls: true,
      contextWindowTokens: model.maxInputTokens,
      maxOutputTokens: undefined,
    };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<BackendPart> {
    const source = new vscode.CancellationTokenSource();
    const tie = onAbort(signal, () => source.cancel());
    try {
      yield* this.#parts(request, source.token);
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

  async *#parts(
    request: ModelRequest,
    token: vscode.CancellationToken,
  ): AsyncGenerator<BackendPart> {
    const messages = toLmMessages(request);
    const response = await this.#model.sendRequest(
      messages,
      {
        justification: vscode.l10n.t(
          'A team of agents works on your task: {0}',
          clip(request.task, 200),
        ),
        tools: toLmTools(request),
        ...(request.maxOutputTokens === undefined
          ? {}
          : { modelOptions: { max_tokens: request.maxOutputTokens } }),
      },
      token,
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
