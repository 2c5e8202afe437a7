// What agents state about the tokens of a prompt.
import type { Usage } from '../../../run/facts';
import { asCount, asObject } from '../../wire/json-reading';
import { addedTo, hasShrunk, sumOf } from '../usage-sums';

type Json = Readonly<Record<string, unknown>>;

/**
 * The protocol wants the sum of a whole session. Agents that are known to state each prompt alone are taken at their word;
 * others are held to the protocol until a count becomes smaller, which no sum does. What was told too low by then is added,
 * so that no token is ever counted twice and none is lost in the end.
 */
export class StatedUsage {
  #isPerPrompt = false;
  /** What the agent has said, all together, and what of it was told. */
  #said: Usage = {};
  #told: Usage = {};
  #last: Usage = {};
  #isNewProcess = false;

  /** A session begins, or is gone on with in a new process, which may count on or anew. */
  begin(isResumed: boolean, isPerPrompt: boolean): void {
    this.#isPerPrompt ||= isPerPrompt;
    this.#isNewProcess = isResumed;
    this.#said = {};
    this.#told = {};
    if (!isResumed) {
      this.#last = {};
    }
  }

  /** Tokens of a prompt by the answer to it. */
  of(answer: Json): Usage {
    const ofPrompt = quotaOf(answer);
    const stated = statedOf(answer);
    if (ofPrompt !== undefined || stated === undefined) {
      return ofPrompt ?? {};
    }
    const hasBegunAnew = this.#isNewProcess && hasShrunk(this.#last, stated);
    const before = hasBegunAnew ? {} : this.#last;
    this.#isPerPrompt ||= hasShrunk(before, stated);
    this.#isNewProcess = false;
    this.#last = stated;
    this.#said = sumOf(this.#said, stated);
    const used = this.#isPerPrompt ? addedTo(this.#told, this.#said) : addedTo(before, stated);
    this.#told = sumOf(this.#told, used);
    return used;
  }
}

/** Gemini CLI has its own place for the tokens of a prompt. */
function quotaOf(answer: Json): Usage | undefined {
  const counts = asObject(asObject(asObject(answer['_meta'])?.['quota'])?.['token_count']);
  return counts === undefined
    ? undefined
    : known({
        inputTokens: asCount(counts['input_tokens']),
        outputTokens: asCount(counts['output_tokens']),
      });
}

/** What an agent has read from a cache may be part of the input, or beside it. */
function statedOf(answer: Json): Usage | undefined {
  const usage = asObject(answer['usage']);
  if (usage === undefined) {
    return undefined;
  }
  const [input, output] = [asCount(usage['inputTokens']), asCount(usage['outputTokens'])];
  const cached = asCount(usage['cachedReadTokens']) ?? 0;
  const written = asCount(usage['cachedWriteTokens']) ?? 0;
  const beside = cached + written;
  const isBeside = asCount(usage['totalTokens']) === (input ?? 0) + beside + (output ?? 0);
  return known({
    inputTokens: isBeside && input !== undefined ? input + beside : input,
    cachedInputTokens: cached === 0 ? undefined : cached,
    cacheWriteTokens: written === 0 ? undefined : written,
    outputTokens: output,
  });
}

function known(counts: { readonly [K in keyof Usage]: number | undefined }): Usage {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
