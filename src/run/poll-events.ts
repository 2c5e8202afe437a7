// From the vote to the final answer: rounds, decisions and attempts.
import type { Label, Slot } from '../base/ids';
import type { Agreement, Evaluation } from './facts';
import type { InTurn } from './event-place';

export interface RunoffStarted {
  readonly type: 'runoff-started';
  readonly candidates: readonly Slot[];
}

/** The leaders are so close that everybody compares them again, in the opposite order. */
export interface DualPassStarted {
  readonly type: 'dual-pass-started';
  readonly candidates: readonly Slot[];
}

export interface JudgeAsked {
  readonly type: 'judge-asked';
  readonly candidates: readonly Slot[];
}

export interface JudgeDecided {
  readonly type: 'judge-decided';
  /** `null` when the judge gave no valid decision; the tie chain decides then. */
  readonly label: Label | null;
  readonly reason: string;
}

/** Which tools are closed until the answer is chosen. */
export interface PlanningDecided {
  readonly type: 'planning-decided';
  readonly isOn: boolean;
  readonly blockedTools: readonly string[];
  readonly by: 'setting' | 'classification' | 'failure';
}

export interface EvaluationStarted extends InTurn {
  readonly type: 'evaluation-started';
}

export interface EvaluationEnded extends Evaluation {
  readonly type: 'evaluation-ended';
  readonly slot: Slot;
}

/** The team starts anew; answers and votes so far are history. */
export interface OrchestrationRestarted {
  readonly type: 'orchestration-restarted';
  /** Number of the attempt that begins. */
  readonly attempt: number;
  readonly reason: string;
  readonly instructions: string;
}

export interface ExtraRoundStarted {
  readonly type: 'extra-round-started';
}

export interface CapReached {
  readonly type: 'cap-reached';
  readonly cap: 'duration' | 'model-calls' | 'cost';
}

export interface PollClosed {
  readonly type: 'poll-closed';
  readonly cause:
    'quorum' | 'early_stop' | 'stopped' | 'answered' | 'timeout' | 'budget' | 'failed' | 'user';
  readonly eligible: number;
  readonly ballots: number;
}

export interface TieBroken {
  readonly type: 'tie-broken';
  readonly element: string;
  readonly tied: readonly Label[];
  readonly winner: Label;
}

export interface FinalAgentSelected {
  readonly type: 'final-agent-selected';
  /** `null` when nothing was chosen (no consensus, no answer, cancelled). */
  readonly winner: { readonly slot: Slot; readonly label: Label } | null;
  readonly agreement: Agreement;
}

export interface FinalPresentationStarted extends InTurn {
  readonly type: 'final-presentation-started';
  readonly label: Label;
}

export interface FinalAnswer {
  readonly type: 'final-answer';
  readonly slot: Slot;
  /** The voted answer that is presented. */
  readonly label: Label;
  readonly text: string;
  readonly source: 'presented' | 'reused';
}
