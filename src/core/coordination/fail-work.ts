import type { Slot } from '../../base/ids';
import type { ErrorInfo, TurnFailureCause } from '../../run/facts';
import { failEvaluation } from './evaluation';
import { failTurn } from './failure';
import { failPresentation } from './presentation';
import { stageOf } from './stage';
import type { Step } from './step';

/** A turn cannot go on; what that means depends on what it was for. */
export function failWork(
  step: Step,
  where: { readonly slot: Slot; readonly turnNo: number },
  cause: TurnFailureCause,
  error: ErrorInfo,
): void {
  switch (stageOf(step.state)) {
    case 'coordination':
      failTurn(step, where, cause, error);
      return;
    case 'presentation':
      failPresentation(step, where, error.message);
      return;
    case 'evaluation':
      failEvaluation(step, where, error.message);
  }
}
