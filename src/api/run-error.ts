import { failureFacts } from '../app/failures';
import { RunError, type RunResult } from './contract';

export function stoppedByCaller(cause?: unknown, result?: RunResult): RunError {
  return new RunError(
    { code: 'cancelled/user', message: 'The run was stopped.' },
    { ...(cause === undefined ? {} : { cause }), ...(result === undefined ? {} : { result }) },
  );
}

/** The one form in which callers meet a failure. */
export function toRunError(error: unknown, signal: AbortSignal | undefined): RunError {
  if (error instanceof RunError) {
    return error;
  }
  if (signal?.aborted === true) {
    return stoppedByCaller(signal.reason);
  }
  const message = error instanceof Error ? error.message : String(error);
  const { code, hint } = factsOf(error);
  return new RunError({ code, message, ...(hint === undefined ? {} : { hint }) }, { cause: error });
}

function factsOf(error: unknown): { readonly code: string; readonly hint: string | undefined } {
  const facts = failureFacts(error);
  if (facts !== undefined) {
    return facts;
  }
  // What a user of the command line would have to mend is for the caller to mend here.
  if (error instanceof Error && error.name === 'UsageError') {
    const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
    return { code: 'config/invalid', hint };
  }
  return { code: 'bug/invariant', hint: undefined };
}
