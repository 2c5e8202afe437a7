import type { RunState } from '../../run/state';
import type { Step } from './step';

/** A run can be gone on with while it is not over; that the program ended under it does not end it. */
export function mayResume({ outcome }: RunState): boolean {
  return outcome === null || outcome === 'interrupted';
}

/**
 * Another process goes on. Turns, timers and open questions are as the log has left them; whoever plays the run has
 * them, so there is nothing to ask for again.
 */
export function resumeRun(step: Step): void {
  step.emit({ type: 'run-resumed' });
}
