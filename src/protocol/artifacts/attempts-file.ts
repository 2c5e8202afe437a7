// `attempts.json`: what each attempt of a run came to.
import type { Evaluation } from '../../run/facts';
import type { PastAttempt, RunState } from '../../run/state';
import { toSeconds } from './places';

export interface AttemptEntry {
  readonly attempt: number;
  /** Configured id. */
  readonly winner: string | null;
  readonly winner_label: string | null;
  readonly decided_by: string | null;
  /** `null` when nobody looked at the result. */
  readonly evaluation: 'submit' | 'restart' | null;
  readonly reason: string | null;
  readonly instructions: string | null;
  /** Unix seconds. */
  readonly started: number;
  /** `null` while it goes on. */
  readonly ended: number | null;
}

export function toAttempts(state: RunState): readonly AttemptEntry[] {
  const { attempt, attemptStartedAt, selection, evaluation, timeline } = state;
  const present: Attempted = {
    ...{ attempt, startedAt: attemptStartedAt },
    endedAt: timeline.findLast(({ kind }) => kind === 'ended')?.at ?? null,
    winner: selection?.winner ?? null,
    decidedBy: selection?.agreement.decidedBy ?? null,
    evaluation: evaluation?.result ?? null,
  };
  return [...state.pastAttempts, present].map((one) => toEntry(one, state));
}

type Attempted = Pick<PastAttempt, 'attempt' | 'startedAt' | 'winner' | 'decidedBy'> & {
  readonly endedAt: number | null;
  readonly evaluation: Evaluation | null;
};

function toEntry(one: Attempted, { agents }: RunState): AttemptEntry {
  const { attempt, winner, decidedBy, evaluation, startedAt, endedAt } = one;
  return {
    attempt,
    winner: winner === null ? null : (agents[winner.slot - 1]?.info.id ?? null),
    winner_label: winner?.label ?? null,
    decided_by: decidedBy,
    ...toEvaluation(evaluation),
    started: toSeconds(startedAt),
    ended: endedAt === null ? null : toSeconds(endedAt),
  };
}

function toEvaluation(
  evaluation: Evaluation | null,
): Pick<AttemptEntry, 'evaluation' | 'reason' | 'instructions'> {
  return evaluation === null
    ? { evaluation: null, reason: null, instructions: null }
    : {
        evaluation: evaluation.decision,
        reason: evaluation.reason,
        instructions: evaluation.instructions,
      };
}
