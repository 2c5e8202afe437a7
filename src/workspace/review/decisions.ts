import type { DecisionSink, ReviewTarget } from '../../core/ports/review';
import { MassGenError } from '../../core/errors';
import type { FileDecided, MixPicked } from '../../run/events';
import type { ReviewDecision } from '../../run/state';
import type { Proposal } from './proposal';
import type { FileState } from './review-state';
import { keyOf, wholeUnit } from './review-state';

export interface Decided {
  readonly decision: ReviewDecision;
  readonly detail?: string;
}

/** Tells the run about decisions, and tells again what it could not record. */
export class DecisionTeller {
  readonly #sink: DecisionSink;
  /** Events that the run's log does not have, by file. */
  readonly #untold = new Map<string, readonly (FileDecided | MixPicked)[]>();

  constructor(sink: DecisionSink) {
    this.#sink = sink;
  }

  /** Throws `storage/failed` when the run could not record it; the files are as decided by then. */
  tell(target: ReviewTarget, events: readonly (FileDecided | MixPicked)[]): void {
    const key = keyOf(target);
    const all = [...(this.#untold.get(key) ?? []), ...events];
    for (const [index, event] of all.entries()) {
      this.#untold.set(key, all.slice(index));
      try {
        this.#sink(event);
      } catch (error) {
        const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
        throw new MassGenError('storage/failed', `Done, but the run could not record it: ${why}.`, {
          cause: error,
          hint: 'Try again: only the record is missing.',
        });
      }
    }
    this.#untold.delete(key);
  }
}

/** One event for the file where all of its parts are decided in one way, else one for each part that changed. */
export function toEvents(
  target: ReviewTarget,
  proposal: Proposal | undefined,
  changed: ReadonlyMap<string, Decided>,
  state: FileState,
): readonly FileDecided[] {
  const { root, path } = target;
  const event = (decided: Decided, hunk?: string): FileDecided => ({
    type: 'file-decided',
    ...{ root, path },
    ...(hunk === undefined ? {} : { hunk }),
    ...decided,
  });
  const ids = proposal?.parts.map(({ id }) => id) ?? [];
  if (ids.length === 0) {
    const whole = changed.get(wholeUnit) ?? [...changed.values()][0];
    return whole === undefined ? [] : [event(whole)];
  }
  const now = ids.map((id) => changed.get(id) ?? decisionOf(state, id));
  const [first] = now;
  const isOne = now.every(
    (each) => each.decision === first?.decision && each.detail === first.detail,
  );
  if (first !== undefined && isOne && changed.size > 0) {
    return [event(first)];
  }
  return ids.flatMap((id) => {
    const decided = changed.get(id);
    return decided === undefined ? [] : [event(decided, id)];
  });
}

/** As the journal has it; conflicts are no decisions and are found anew at each look. */
export function decisionOf({ units }: FileState, unit: string): Decided {
  return { decision: units.get(unit)?.type ?? 'pending' };
}
