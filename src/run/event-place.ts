import type { Slot } from '../base/ids';

/** Where in a run something happens. `call` counts the model calls of the turn from 1. */
export interface InTurn {
  readonly slot: Slot;
  readonly turnNo: number;
}
export interface InCall extends InTurn {
  readonly call: number;
}
