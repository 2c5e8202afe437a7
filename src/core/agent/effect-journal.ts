import { canonicalJson } from '../../base/canonical-json';
import { sha256Hex } from '../../base/sha256';
import type { Slot } from '../../base/ids';
import type { ObservedEvent } from '../../run/events';
import type { EffectRecord } from '../../run/facts';
import type { RunState } from '../../run/state';
import { type EffectVerdict, effectVerdict } from '../coordination/effects-journal';
import type { PayloadStore } from '../ports/payload-store';
import type { ToolResult } from '../ports/tool';

export interface EffectJournalParts {
  readonly slot: Slot;
  readonly turnNo: number;
  readonly state: () => RunState;
  readonly payloads: PayloadStore;
  readonly redact: (text: string) => string;
  readonly observe: (event: ObservedEvent) => void;
  /** Asks a person whether exactly this call may be made. */
  readonly ask: (call: string, signal: AbortSignal) => Promise<boolean>;
}

const cutOff: ToolResult = {
  text: 'The call was cut off; whether it had its effect is not known.',
  isError: false,
};

/** Calls with an effect that cannot be taken back: each is made once per run, whatever attempt asks for it. */
export class EffectJournal {
  readonly #parts: EffectJournalParts;
  /** Those of this turn; the state may not hold them yet. */
  readonly #own: EffectRecord[] = [];

  constructor(parts: EffectJournalParts) {
    this.#parts = parts;
  }

  /** Rejects like `make`; a call that was cut off counts as made. */
  async run(
    call: { readonly tool: string; readonly input: unknown },
    make: () => Promise<ToolResult>,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const argumentsJson = canonicalJson(call.input);
    const hash = sha256Hex(canonicalJson({ tool: call.tool, arguments: call.input }));
    const verdict = effectVerdict(this.#known(), hash, call.tool);
    if (verdict === 'replay') {
      return this.#replayed(hash);
    }
    const refusal = await this.#refusal(verdict, `${call.tool} ${argumentsJson}`, signal);
    if (refusal !== undefined) {
      return { text: refusal, isError: true };
    }
    const effect = { hash, tool: call.tool, argumentsJson, isRepeat: verdict !== 'run' };
    try {
      const result = await make();
      this.#record(effect, result);
      return result;
    } catch (error) {
      this.#record(effect, cutOff);
      throw error;
    }
  }

  async #refusal(
    verdict: EffectVerdict,
    call: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (verdict === 'deny') {
      return 'This was not done: an earlier attempt has used the same tool with other arguments, and it must not be repeated.';
    }
    const isAllowed = verdict !== 'ask' || (await this.#parts.ask(call, signal));
    return isAllowed
      ? undefined
      : 'This was not done: an earlier attempt has used the same tool with other arguments, and the user did not allow another call.';
  }

  #replayed(hash: string): ToolResult {
    const { slot, turnNo, payloads, observe } = this.#parts;
    const done = this.#known().effects.findLast(
      (effect) => effect.hash === hash && !effect.isError,
    );
    observe({ type: 'effect-replayed', slot, turnNo, hash });
    const text = done === undefined ? undefined : payloads.get(done.result);
    return {
      text: `Already performed, not done again. Its result was:\n${text ?? '(not stored any more)'}`,
      isError: false,
    };
  }

  #record(
    effect: Pick<EffectRecord, 'hash' | 'tool' | 'argumentsJson' | 'isRepeat'>,
    { text, isError }: ToolResult,
  ): void {
    const { slot, turnNo, payloads, redact, observe, state } = this.#parts;
    const record: EffectRecord = {
      ...effect,
      argumentsJson: redact(effect.argumentsJson),
      attempt: state().attempt,
      result: payloads.put(redact(text)),
      isError,
    };
    this.#own.push(record);
    observe({ type: 'effect-recorded', slot, turnNo, effect: record });
  }

  #known(): RunState {
    const state = this.#parts.state();
    const pending = this.#own.filter(
      (own) =>
        !state.effects.some(({ hash, isError }) => hash === own.hash && isError === own.isError),
    );
    return { ...state, effects: [...state.effects, ...pending] };
  }
}
