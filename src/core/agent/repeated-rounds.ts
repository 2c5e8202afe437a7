import { canonicalJson } from '../../base/canonical-json';
import { sha256Hex } from '../../base/sha256';
import type { ToolCallResult } from '../ports/model-backend';
import { parseArguments } from './tool-arguments';
import type { PlacedCall } from './tool-round';

/** From the third time on, the model is told. */
const toldFrom = 3;

/** Finds an agent that makes the same calls again and again in a turn and gets the same results. */
export class RepeatedRounds {
  #last = '';
  #count = 0;

  /** How often in a row, the newest round included. */
  get count(): number {
    return this.#count;
  }

  /** Takes one round of calls with its results, in the same order; answers the results with a word about repetition. */
  after(
    calls: readonly PlacedCall[],
    results: readonly ToolCallResult[],
  ): readonly ToolCallResult[] {
    const round = new Set(calls.map(({ call }, i) => `${nameOf(call)} ${resultOf(results[i])}`));
    const mark = [...round].sort().join('\n');
    this.#count = calls.length > 0 && mark === this.#last ? this.#count + 1 : 1;
    this.#last = mark;
    if (this.#count < toldFrom) {
      return results;
    }
    return results.map((result) => ({ ...result, text: `${result.text}\n${this.#words()}` }));
  }

  #words(): string {
    return `[You have made this call ${this.#count} times in a row with the same arguments and got the same result. Making it again changes nothing. Do something else, or finish with what you have.]`;
  }
}

function nameOf({ name, argumentsJson }: PlacedCall['call']): string {
  const parsed = parseArguments(argumentsJson);
  return `${name} ${parsed.kind === 'input' ? canonicalJson(parsed.input) : argumentsJson}`;
}

function resultOf(result: ToolCallResult | undefined): string {
  return sha256Hex(JSON.stringify([result?.text, result?.media?.map(({ base64 }) => base64)]));
}
