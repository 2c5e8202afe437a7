import { onAbort } from '../../src/base/abort';
import type { SystemAnswer, SystemModel, SystemQuestion } from '../../src/core/ports/system-model';

/** Answers with one text after another and keeps the questions; `undefined` never answers. */
export class ScriptedSystemModel implements SystemModel {
  readonly model = 'oracle-9';
  readonly questions: SystemQuestion[] = [];
  readonly #replies: (string | undefined)[];

  constructor(...replies: readonly (string | undefined)[]) {
    this.#replies = [...replies];
  }

  async ask(question: SystemQuestion, signal: AbortSignal): Promise<SystemAnswer> {
    this.questions.push(question);
    const text = this.#replies.shift();
    if (text !== undefined) {
      return { text, usage: { inputTokens: 10, outputTokens: 2 }, costUsd: 0.5 };
    }
    return new Promise((resolve) => {
      onAbort(signal, () => {
        const error = { code: 'cancelled/timeout', message: 'Too late.', retryable: false };
        resolve({ text: '', usage: {}, costUsd: null, error });
      });
    });
  }
}
