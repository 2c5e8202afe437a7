import { Worker } from 'node:worker_threads';
import { onAbort } from '../base/abort';
import { MassGenError } from '../core/errors';

/** Lines (0-based) of one text that match. */
export interface TextMatches {
  readonly index: number;
  readonly lines: readonly number[];
}

// Plain JavaScript in a string: it runs the same from sources and from a bundle.
const source = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.pattern);
parentPort.on('message', ({ index, text }) => {
  const lines = [];
  text.split(/\\r\\n|\\n|\\r/).forEach((line, number) => {
    if (lines.length < workerData.limit && pattern.test(line)) lines.push(number);
  });
  parentPort.postMessage({ index, lines });
});
`;

/**
 * Matches a regular expression against texts away from the main thread, where one that never ends can be killed. Close
 * it when done.
 */
export class RegexWorker {
  readonly #worker: Worker;
  #fail: ((error: Error) => void) | undefined;
  #settle: ((lines: readonly number[]) => void) | undefined;

  /** Throws `tool/invalid-input` when the pattern is malformed. */
  constructor(pattern: string, limit: number) {
    try {
      new RegExp(pattern);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MassGenError('tool/invalid-input', `Nothing was searched: ${why}.`);
    }
    this.#worker = new Worker(source, { eval: true, workerData: { pattern, limit }, env: {} });
    this.#worker.on('message', (answer: TextMatches) => this.#settle?.(answer.lines));
    this.#worker.on('error', (error) => this.#fail?.(error));
  }

  /** One call at a time. Throws `tool/timed-out` after `limitMs`; the worker is of no use then. */
  async match(text: string, limitMs: number, signal: AbortSignal): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(() => reject(tooSlow())), limitMs);
      const listening = onAbort(signal, (reason) =>
        end(() => reject(reason instanceof Error ? reason : new Error(String(reason)))),
      );
      const end = (finish: () => void): void => {
        clearTimeout(timer);
        listening.dispose();
        finish();
      };
      this.#settle = (lines) => end(() => resolve(lines));
      this.#fail = (error) => end(() => reject(error));
      this.#worker.postMessage({ index: 0, text });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function tooSlow(): MassGenError {
  return new MassGenError(
    'tool/timed-out',
    'The search was stopped: the expression takes too long.',
    {
      hint: 'Use a simpler expression, or a literal text.',
    },
  );
}
