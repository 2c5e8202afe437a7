import type { Label, Slot, SnapshotId } from '../../base/ids';
import type { CheckSubject } from '../../run/check-facts';
import type { Directive, TimerId, Toolset } from './inputs';

/** Work for the driver, done after the events of the same step are logged. */
export type Effect =
  | {
      readonly kind: 'start-turn';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly shown: readonly Label[];
      readonly toolset: Toolset;
    }
  | {
      readonly kind: 'direct';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly call: number;
      readonly directive: Directive;
    }
  | {
      readonly kind: 'abort-turn';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly reason: 'superseded' | 'timeout' | 'user';
    }
  | {
      readonly kind: 'start-presentation';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly label: Label;
    }
  | { readonly kind: 'start-evaluation'; readonly slot: Slot; readonly turnNo: number }
  /** Answered by the input `judged`. Candidates in the order in which they are shown. */
  | { readonly kind: 'ask-judge'; readonly call: number; readonly candidates: readonly Label[] }
  /** Answered by the input `judged`: a person chooses, with the reason empty. */
  | { readonly kind: 'ask-human'; readonly candidates: readonly Label[] }
  /** Answered by the input `planned`. */
  | { readonly kind: 'classify-tools'; readonly call: number }
  /** Answered by the input `checked`. For a baseline there is no snapshot: the folders as they are for a new agent. */
  | {
      readonly kind: 'run-checks';
      readonly subject: CheckSubject;
      readonly snapshotId: SnapshotId | null;
    }
  /** The answer was replaced before its checks had ended; nobody waits for them. */
  | { readonly kind: 'abort-checks'; readonly label: Label }
  /** `delayMs` from the time of the input. Setting a timer again replaces it. */
  | { readonly kind: 'set-timer'; readonly timer: TimerId; readonly delayMs: number }
  | { readonly kind: 'clear-timer'; readonly timer: TimerId }
  | { readonly kind: 'end-run' };
