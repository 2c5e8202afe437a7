import type { ErrorInfo, Usage } from '../../run/facts';
import type { OutputSchema } from './model-backend';

/** One question to a model on behalf of the run: no tools, no conversation. */
export interface SystemQuestion {
  readonly attempt: number;
  /** Counts from 1 over the run. */
  readonly call: number;
  readonly task: string;
  readonly system: string;
  readonly message: string;
  /** The form of the answer, which the words ask for as well; absent: any text. */
  readonly outputSchema?: OutputSchema;
}

export interface SystemAnswer {
  /** The whole text, also when the call failed half way. */
  readonly text: string;
  readonly usage: Usage;
  /** US dollars, `null` when the price is not known. */
  readonly costUsd: number | null;
  /** The service charges for more than tokens, a sum that is not known, and `costUsd` is without it; absent: it does not. */
  readonly hasFees?: boolean;
  /** Absent when the answer is whole. */
  readonly error?: ErrorInfo;
}

/** A model that can be asked something. */
export interface SystemModel {
  /** For people; never part of a question. */
  readonly model: string;
  /** Resolves also when the model failed or `signal` aborted: the answer then carries the error. */
  ask(question: SystemQuestion, signal: AbortSignal): Promise<SystemAnswer>;
}
