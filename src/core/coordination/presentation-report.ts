import type { TurnState } from '../../run/state';
import { onFault } from './faults';
import { grantCall } from './grant';
import type { TurnReport } from './inputs';
import { onOvertime } from './overtime';
import { onPresented } from './presentation';
import type { Step } from './step';
import { toolsetFor } from './toolset';
import type { Reporter } from './turn-end';
import { onRepeats } from './turn-limits';

/** What the presenter reports: it may read files, and its text ends the run. */
export function onPresentationReport(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  report: TurnReport,
): void {
  const { slot, turnNo } = reporter;
  switch (report.kind) {
    case 'presented':
      onPresented(step, reporter, report.text);
      return;
    case 'response': {
      const answer = report.actions.find((action) => action.kind === 'new_answer');
      onPresented(step, reporter, answer?.content ?? '');
      return;
    }
    case 'tool-round':
      step.emit({ type: 'tool-round-ended', slot, turnNo, tools: report.tools });
      onRepeats(step, reporter, report.repeats);
      if (onOvertime(step, reporter)) {
        return;
      }
      grantCall(step, reporter, {
        kind: 'continue',
        replies: [],
        notice: '',
        update: [],
        toolset: toolsetFor(step.state, slot),
      });
      return;
    case 'evaluated':
      onPresented(step, reporter, '');
      return;
    case 'fault':
      onFault(step, reporter, turn, report.fault);
  }
}
