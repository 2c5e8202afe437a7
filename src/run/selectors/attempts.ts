import type { Label } from '../../base/ids';
import type { PastAttempt, RunState } from '../state';
import { formatElapsed } from './formats';

/** An attempt that is over, folded to one line. */
export interface AttemptRow {
  readonly attempt: number;
  /** `Attempt 1, 2:10`. */
  readonly title: string;
  readonly label: Label | null;
  /** Why the team began anew; words of a model. */
  readonly reason: string;
  /** What it was told to do better; words of a model, may be empty. */
  readonly instructions: string;
  readonly answer: string;
}

/** Earlier attempts of the run, oldest first. */
export function selectAttempts(state: RunState): readonly AttemptRow[] {
  return state.pastAttempts.map(toRow);
}

function toRow({
  attempt,
  startedAt,
  endedAt,
  winner,
  evaluation,
  finalText,
}: PastAttempt): AttemptRow {
  return {
    attempt,
    title: `Attempt ${attempt}, ${formatElapsed(endedAt - startedAt)}`,
    label: winner?.label ?? null,
    reason: evaluation.reason === '' ? 'It was found wanting.' : evaluation.reason,
    instructions: evaluation.instructions,
    answer: finalText,
  };
}
