import type { RunState } from '../run/state';

/** As scripts around MassGen expect them. */
export const exitCodes = {
  done: 0,
  /** Wrong arguments or team file; nothing was sent to a model. */
  usage: 1,
  /** No answer, no consensus, or an answer that could not be applied. */
  failed: 2,
  /** The deadline was hit, also when an answer could be saved. */
  timeout: 3,
  interrupted: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** `isTimeoutOk`: the team file counts a deadline that was hit with an answer as success. */
export function exitCodeOf({ outcome, finalAnswer }: RunState, isTimeoutOk = false): ExitCode {
  switch (outcome) {
    case 'completed':
    case 'budget':
      return finalAnswer === null ? exitCodes.failed : exitCodes.done;
    case 'timeout':
      return isTimeoutOk && finalAnswer !== null ? exitCodes.done : exitCodes.timeout;
    case 'cancelled':
    case 'interrupted':
      return exitCodes.interrupted;
    case 'no-consensus':
    case 'error':
    case null:
      return exitCodes.failed;
  }
}
