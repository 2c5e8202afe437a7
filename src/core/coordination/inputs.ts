// What goes into the engine, and what it answers to a turn. `handle(state, input)` is the only place with rules.
import type { Label, Slot, SnapshotId } from '../../base/ids';
import type { ObservedEvent, RunStarted } from '../../run/events';
import type { CheckReport, CheckSubject } from '../../run/check-facts';
import type { ErrorInfo, FileChange } from '../../run/facts';

/** A workflow call as the model made it, unchecked but parsed. */
export type RawAction =
  | {
      readonly kind: 'new_answer';
      readonly toolCallId: string;
      readonly content: string;
      /** Taken before the report; simply not referenced when the answer is refused. */
      readonly snapshotId: SnapshotId | null;
      readonly changes: readonly FileChange[];
      /** Taken while a command still ran; absent: no. */
      readonly isUnsettled?: boolean;
    }
  | {
      readonly kind: 'vote';
      readonly toolCallId: string;
      /** `agent2` or `agent2.1`, as written. */
      readonly target: string;
      readonly reason: string;
      readonly approve: readonly string[];
      readonly isAbstention: boolean;
    }
  | {
      readonly kind: 'stop';
      readonly toolCallId: string;
      readonly summary: string;
      readonly status: 'complete' | 'blocked';
    }
  | { readonly kind: 'unknown_tool'; readonly toolCallId: string; readonly name: string }
  | { readonly kind: 'bad_arguments'; readonly toolCallId: string; readonly name: string };

export interface BackendFault {
  readonly error: ErrorInfo;
  /** `transient` counts against the retries; `wait` (rate limit, overload) does not; `fatal` ends the turn. */
  readonly kind: 'transient' | 'wait' | 'fatal';
  /** Asked for by the service, ms. */
  readonly retryAfterMs?: number;
}

/** What a turn reports after each model call. `call` counts from 1. */
export type TurnReport =
  | {
      /** A response without ordinary tool calls, or whose ordinary calls have all been run already. */
      readonly kind: 'response';
      readonly call: number;
      readonly actions: readonly RawAction[];
    }
  | {
      readonly kind: 'tool-round';
      readonly call: number;
      readonly tools: readonly string[];
      /** How often in a row the same calls had the same results, these included; absent: once. */
      readonly repeats?: number;
    }
  | { readonly kind: 'fault'; readonly call: number; readonly fault: BackendFault }
  | { readonly kind: 'presented'; readonly call: number; readonly text: string }
  /** What an evaluator's response says; empty when it says nothing. */
  | {
      readonly kind: 'evaluated';
      readonly call: number;
      readonly findings: readonly Finding[];
    };

/** A call of an evaluator, unchecked but parsed. */
export type Finding =
  | { readonly kind: 'submit'; readonly toolCallId: string; readonly isConfirmed: boolean }
  | {
      readonly kind: 'restart';
      readonly toolCallId: string;
      readonly reason: string;
      readonly instructions: string;
    };

/** What a user asks for while a run goes on, or after its end. */
export type UserCommand =
  | { readonly kind: 'answer-now'; readonly slot: Slot }
  | {
      readonly kind: 'steer';
      readonly id: string;
      readonly text: string;
      readonly targets: readonly Slot[] | null;
    }
  | { readonly kind: 'override'; readonly label: Label }
  | { readonly kind: 'revive'; readonly slot: Slot };

/**
 * Which workflow tools the next call may use. What a model is offered stays as it was when its turn began, because
 * services read tools first and reuse nothing after a change; what is offered and may not be used is refused.
 */
export interface Toolset {
  readonly hasNewAnswer: boolean;
  readonly hasVote: boolean;
  /** A vote may not be cast now, but perhaps later in the same turn; absent means no. */
  readonly mayVoteLater?: boolean;
  /** Only where agents do not vote; absent means no. */
  readonly hasStop?: boolean;
  readonly hasOrdinaryTools: boolean;
  /** Ordinary tools that are closed until an answer is chosen; absent means none. */
  readonly blockedTools?: readonly string[];
  /** Votable labels now, as they are told to the model; advisory. */
  readonly targets: readonly Label[];
}

/** One workflow call's result as the model reads it. */
export interface WorkflowReply {
  readonly toolCallId: string;
  readonly status: 'accepted' | 'rejected' | 'stale' | 'held';
  readonly code?: string;
  readonly message: string;
}

/** Answer to a report. */
export type Directive =
  | {
      /** Make another model call with these replies (a user message when there was no tool call) and updates. */
      readonly kind: 'continue';
      readonly replies: readonly WorkflowReply[];
      /** Text for the model when the response had no tool call to reply to; empty when there is none. */
      readonly notice: string;
      /** Peers' answers to add to the conversation now. */
      readonly update: readonly Label[];
      /** Further texts for the model, in order: to finish, messages of the user. */
      readonly messages?: readonly string[];
      readonly toolset: Toolset;
    }
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      readonly reason: 'transient' | 'rate-limit';
    }
  | { readonly kind: 'end' };

export type Input =
  | { readonly kind: 'start'; readonly started: RunStarted }
  | { readonly kind: 'observed'; readonly event: ObservedEvent }
  | {
      readonly kind: 'report';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly report: TurnReport;
    }
  /** The turn's promise settled without a directive `end`: a bug in the loop, or it was aborted. */
  | {
      readonly kind: 'turn-crashed';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly error: ErrorInfo;
    }
  | { readonly kind: 'timer'; readonly timer: TimerId }
  /** `isShutdown`: the program ends under the run; the log then says `interrupted`, as if it had been cut off. */
  | { readonly kind: 'cancel'; readonly isShutdown?: boolean }
  | { readonly kind: 'user'; readonly command: UserCommand }
  /**
   * The word of a judge; `label` as it was written, empty when there is none. About finished work: `submit` or
   * `restart`, then with instructions.
   */
  | {
      readonly kind: 'judged';
      readonly label: string;
      readonly reason: string;
      readonly instructions?: string;
    }
  /** Which tools of unknown effect must wait; `null` when the question could not be answered. */
  | { readonly kind: 'planned'; readonly blockedTools: readonly string[] | null }
  /** All checks of a tree have ended. What could not be run has the status `not-run`, and nobody is kept out because of that. */
  | { readonly kind: 'checked'; readonly subject: CheckSubject; readonly report: CheckReport }
  /** The log has been played up to here by another process, which now goes on. */
  | { readonly kind: 'resume' }
  /** All inputs of this instant were reduced: idle agents may be activated. */
  | { readonly kind: 'instant-ended' };

/** Timers the engine asks for; each exists once. */
export type TimerId =
  | { readonly kind: 'deadline' }
  | { readonly kind: 'turn-timeout'; readonly slot: Slot; readonly turnNo: number }
  | {
      readonly kind: 'turn-soft' | 'turn-hard' | 'turn-kill';
      readonly slot: Slot;
      readonly turnNo: number;
    }
  | { readonly kind: 'back-off'; readonly slot: Slot }
  | { readonly kind: 'presentation' }
  | { readonly kind: 'evaluation' }
  | { readonly kind: 'judge' }
  | { readonly kind: 'settle' };

/** An input with the time at which it is reduced, Unix ms. */
export interface TimedInput {
  readonly at: number;
  readonly input: Input;
}
