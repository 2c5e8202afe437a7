import type { ProtocolErrorCode } from '../../run/facts';
import type { TurnState } from '../../run/state';
import { acceptUnchecked, endEvaluation } from './evaluation';
import type { Verdict } from './evaluation';
import { onFault } from './faults';
import { grantCall } from './grant';
import type { Finding, Input, TurnReport, WorkflowReply } from './inputs';
import { evaluationMessage } from './messages';
import { onOvertime } from './overtime';
import type { Step } from './step';
import { toolsetFor } from './toolset';
import { direct, endTurn } from './turn-end';
import type { Reporter } from './turn-end';
import { onRepeats } from './turn-limits';

/** What an evaluator reports: it may read, and it ends with exactly one finding. */
export function onEvaluationReport(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  report: TurnReport,
): void {
  const { slot, turnNo } = reporter;
  switch (report.kind) {
    case 'evaluated':
      onFindings(step, reporter, turn, report.findings);
      return;
    case 'response':
    case 'presented':
      onFindings(step, reporter, turn, []);
      return;
    case 'tool-round':
      step.emit({ type: 'tool-round-ended', slot, turnNo, tools: report.tools });
      onRepeats(step, reporter, report.repeats);
      if (!onOvertime(step, reporter)) {
        goOn(step, reporter, { replies: [], notice: '' });
      }
      return;
    case 'fault':
      onFault(step, reporter, turn, report.fault);
  }
}

type Problem = Extract<ProtocolErrorCode, 'conflict' | 'not_confirmed' | 'no_workflow_call'>;

const whyUnchecked: Record<Problem, string> = {
  conflict: 'The evaluator both accepted and restarted.',
  not_confirmed: 'The evaluator did not confirm.',
  no_workflow_call: 'The evaluator decided nothing.',
};

function onFindings(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  findings: readonly Finding[],
): void {
  const verdict = verdictOf(findings);
  if (typeof verdict === 'string') {
    onProblem(step, reporter, turn, { code: verdict, findings });
    return;
  }
  direct(step, reporter, { kind: 'end' });
  endTurn(step, reporter, verdict.decision === 'restart' ? 'restarted' : 'submit');
  endEvaluation(step, verdict);
}

function verdictOf(findings: readonly Finding[]): Verdict | Problem {
  const submit = findings.find((finding) => finding.kind === 'submit');
  const restart = findings.find((finding) => finding.kind === 'restart');
  if (submit !== undefined && restart !== undefined) {
    return 'conflict';
  }
  if (restart !== undefined) {
    const { reason, instructions } = restart;
    return { decision: 'restart', by: 'evaluator', reason, instructions };
  }
  if (submit === undefined) {
    return 'no_workflow_call';
  }
  return submit.isConfirmed ? { decision: 'submit', by: 'evaluator' } : 'not_confirmed';
}

/** The evaluator is asked once more; work that it then says nothing clear about is accepted. */
function onProblem(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  { code, findings }: { readonly code: Problem; readonly findings: readonly Finding[] },
): void {
  const { slot, turnNo } = reporter;
  const attemptNo = turn.protocolErrors + 1;
  const message = evaluationMessage(code);
  step.emit({ type: 'protocol-error', slot, turnNo, code, attemptNo, message });
  if (attemptNo > 1) {
    direct(step, reporter, { kind: 'end' });
    endTurn(step, reporter, 'error');
    acceptUnchecked(step, 'default', whyUnchecked[code]);
    return;
  }
  const replies = findings.map(({ toolCallId }): WorkflowReply => ({
    ...{ toolCallId, status: 'rejected', code, message },
  }));
  goOn(step, reporter, { replies, notice: findings.length === 0 ? message : '' });
}

function goOn(
  step: Step,
  reporter: Reporter,
  said: { readonly replies: readonly WorkflowReply[]; readonly notice: string },
): void {
  const toolset = toolsetFor(step.state, reporter.slot);
  grantCall(step, reporter, { kind: 'continue', ...said, update: [], toolset });
}

/** The word of a judge about finished work. */
export function onWorkJudged(
  step: Step,
  { label, reason, instructions = '' }: Extract<Input, { readonly kind: 'judged' }>,
): void {
  if (label === 'submit' || label === 'restart') {
    endEvaluation(step, { decision: label, by: 'evaluator', reason, instructions });
  } else {
    acceptUnchecked(step, 'fault', 'The judge gave no clear answer.');
  }
}
