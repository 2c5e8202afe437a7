import type { Label } from '../../base/ids';

/** The parts of a row of the timeline. */
export interface RowText {
  /** Set in bold; empty where the row begins with a verb. */
  readonly title: string;
  /** What the agent did with `label`: `answered`, `voted`. */
  readonly verb: string;
  readonly label: Label | null;
  readonly isStruck: boolean;
  /** Facts of the run in a few words. */
  readonly note: string;
  /** Words of a model, a service or the user. */
  readonly quote: string;
}

export const emptyRow: RowText = {
  title: '',
  verb: '',
  label: null,
  isStruck: false,
  note: '',
  quote: '',
};
