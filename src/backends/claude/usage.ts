// Counts of tokens in the neutral form.
import type { Usage } from '../../run/facts';
import { asCount, asObject } from '../wire/json-reading';

interface Counts {
  readonly input: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly output: number | undefined;
  readonly thinking: number | undefined;
}

const nothing: Counts = {
  ...{ input: undefined, cacheRead: undefined, cacheWrite: undefined },
  ...{ output: undefined, thinking: undefined },
};

/** Adds up the counts of an answer, which may have come in several streams. */
export class UsageCount {
  #earlier: Counts = nothing;
  #stream: Counts = nothing;
  /** Input of the largest stream but the last, once there are several. */
  #largest: number | undefined;

  /** Counts of one stream grow from one event to the next; some gateways leave out, or set to 0, what was said before. */
  read(value: unknown): void {
    const usage = asObject(value);
    const details = asObject(usage?.['output_tokens_details']);
    this.#stream = combined(
      this.#stream,
      {
        input: asCount(usage?.['input_tokens']),
        cacheRead: asCount(usage?.['cache_read_input_tokens']),
        cacheWrite: asCount(usage?.['cache_creation_input_tokens']),
        output: asCount(usage?.['output_tokens']),
        thinking: asCount(details?.['thinking_tokens']),
      },
      Math.max,
    );
  }

  /** The next stream counts from 0 again. */
  nextStream(): void {
    this.#largest = Math.max(this.#largest ?? 0, inputOf(this.#stream));
    this.#earlier = this.#total();
    this.#stream = nothing;
  }

  /** `undefined` when nothing was said. */
  sum(): Usage | undefined {
    const total = this.#total();
    const { input, cacheRead, cacheWrite, output, thinking } = total;
    if (input === undefined && output === undefined) {
      return undefined;
    }
    const largest = this.#largest && Math.max(this.#largest, inputOf(this.#stream));
    return {
      ...(input === undefined ? {} : { inputTokens: inputOf(total) }),
      ...(cacheRead === undefined ? {} : { cachedInputTokens: cacheRead }),
      ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
      ...(output === undefined ? {} : { outputTokens: output }),
      ...(thinking === undefined ? {} : { reasoningTokens: thinking }),
      ...(largest === undefined ? {} : { largestInputTokens: largest }),
    };
  }

  #total(): Counts {
    return combined(this.#earlier, this.#stream, (a, b) => a + b);
  }
}

/** The service counts what it has cached apart from the rest. */
function inputOf({ input = 0, cacheRead = 0, cacheWrite = 0 }: Counts): number {
  return input + cacheRead + cacheWrite;
}

function combined(a: Counts, b: Counts, combine: (x: number, y: number) => number): Counts {
  const one = (x: number | undefined, y: number | undefined): number | undefined =>
    x === undefined ? y : y === undefined ? x : combine(x, y);
  return {
    input: one(a.input, b.input),
    cacheRead: one(a.cacheRead, b.cacheRead),
    cacheWrite: one(a.cacheWrite, b.cacheWrite),
    output: one(a.output, b.output),
    thinking: one(a.thinking, b.thinking),
  };
}
