import { assertNever } from '../../base/assert';
import type { Slot } from '../../base/ids';
import type { ObservedEvent, RunEvent } from '../../run/events';
import type { ErrorInfo } from '../../run/facts';
import type { CheckSubject } from '../../run/check-facts';
import type { RunState } from '../../run/state';
import { settle } from './activation';
import { isAwaited } from './checks';
import { onChecked } from './checked';
import { cancelRun, interruptRun } from './cancel';
import type { Effect } from './effects';
import { abortEvaluation } from './evaluation';
import { onEvaluationReport, onWorkJudged } from './evaluation-report';
import { failWork } from './fail-work';
import { longestHold } from './fairness';
import { onFault } from './faults';
import type { Input, TimedInput, TimerId, TurnReport } from './inputs';
import { onJudged, onJudgeTimer } from './judged';
import { turnOf } from './ledger';
import { onOverride } from './override';
import { abortTurn, onKill } from './overtime';
import { onPlanned } from './planning';
import { abortPresentation } from './presentation';
import { onPresentationReport } from './presentation-report';
import { onResponse, onToolRound } from './response';
import { closeAtCap } from './selection';
import { mayResume, resumeRun } from './resume';
import { stageOf } from './stage';
import { startRun } from './start';
import { Step } from './step';
import { direct } from './turn-end';
import type { Reporter } from './turn-end';
import { reachHardLimit, reachSoftLimit } from './turn-limits';
import { onUserCommand } from './user-commands';

export interface Handled {
  /** To be logged, in order, before any effect is begun. */
  readonly events: readonly RunEvent[];
  readonly effects: readonly Effect[];
}

const nothing: Handled = { events: [], effects: [] };

/**
 * Decides what one input means; every rule of coordination is behind this function. Pure: time comes with the input,
 * and whatever looks like chance is derived from the run's seed. Inputs that come too late change nothing.
 */
export function handle(state: RunState | undefined, timed: TimedInput): Handled {
  const { at, input } = timed;
  if (state === undefined) {
    return input.kind === 'start' ? startRun(input.started) : nothing;
  }
  if (input.kind === 'observed') {
    return mayFollow(state, input.event) ? { events: [input.event], effects: [] } : nothing;
  }
  const step = new Step(state, at);
  if (input.kind === 'resume') {
    if (mayResume(state)) {
      resumeRun(step);
    }
  } else if (state.outcome === null) {
    decide(step, input);
  } else {
    afterEnd(step, input);
  }
  return { events: step.events, effects: step.effects };
}

/** The user may still choose, and check what was put together of the answers. */
function afterEnd(step: Step, input: Input): void {
  if (input.kind === 'user' && input.command.kind === 'override') {
    onOverride(step, input.command.label);
  } else if (input.kind === 'checked' && input.subject.kind === 'mix') {
    onChecked(step, input);
  } else if (input.kind === 'report') {
    direct(step, reporterOf(input), { kind: 'end' });
  }
}

/** After the end only the review goes on, with checks of its own, and late facts about money and questions are still true. */
function mayFollow(state: RunState, event: ObservedEvent): boolean {
  switch (event.type) {
    case 'model-call-ended':
    case 'system-call-ended':
    case 'approval-resolved':
    case 'change-set-ready':
    case 'file-decided':
    case 'mix-picked':
    case 'warning-raised':
      return true;
    case 'checks-started':
    case 'check-ended':
      return event.subject.kind === 'mix' || isChecking(state, event.subject);
    default:
      return state.outcome === null;
  }
}

/** What is told of checks that are over, or of a run that is, changes nothing any more. */
function isChecking(state: RunState, subject: CheckSubject): boolean {
  return state.outcome === null && isAwaited(state, subject);
}

function decide(step: Step, input: Exclude<Input, { readonly kind: 'observed' }>): void {
  switch (input.kind) {
    case 'start':
      return;
    case 'report':
      onReport(step, reporterOf(input), input.report);
      return;
    case 'turn-crashed':
      onCrash(step, input, input.error);
      return;
    case 'timer':
      onTimer(step, input.timer);
      return;
    case 'cancel':
      if (input.isShutdown === true) {
        interruptRun(step);
      } else {
        cancelRun(step);
      }
      return;
    case 'instant-ended':
      settle(step);
      return;
    case 'user':
      if (input.command.kind === 'override') {
        onOverride(step, input.command.label);
      } else {
        onUserCommand(step, input.command);
      }
      return;
    case 'judged':
      if (stageOf(step.state) === 'evaluation') {
        onWorkJudged(step, input);
      } else {
        onJudged(step, input);
      }
      return;
    case 'planned':
      onPlanned(step, input.blockedTools);
      return;
    case 'checked':
      onChecked(step, input);
      return;
    case 'resume':
      return;
    default:
      assertNever(input, 'input');
  }
}

function reporterOf(input: Extract<Input, { readonly kind: 'report' }>): Reporter {
  return { slot: input.slot, turnNo: input.turnNo, call: input.report.call };
}

/** Each report gets exactly one directive; a turn that is over is told to end. */
function onReport(step: Step, reporter: Reporter, report: TurnReport): void {
  const turn = turnOf(step.state, reporter);
  if (turn === undefined) {
    direct(step, reporter, { kind: 'end' });
    return;
  }
  const stage = stageOf(step.state);
  if (stage === 'evaluation') {
    onEvaluationReport(step, reporter, turn, report);
    return;
  }
  if (stage === 'presentation') {
    onPresentationReport(step, reporter, turn, report);
    return;
  }
  switch (report.kind) {
    case 'response':
      onResponse(step, reporter, turn, report.actions);
      return;
    case 'tool-round':
      onToolRound(step, reporter, report);
      return;
    case 'fault':
      onFault(step, reporter, turn, report.fault);
      return;
    case 'presented':
    case 'evaluated':
      onResponse(step, reporter, turn, []);
      return;
    default:
      assertNever(report, 'report');
  }
}

interface Where {
  readonly slot: Slot;
  readonly turnNo: number;
}

function onCrash(step: Step, where: Where, error: ErrorInfo): void {
  if (turnOf(step.state, where) !== undefined) {
    failWork(step, where, 'internal', error);
  }
}

function onTimer(step: Step, timer: TimerId): void {
  switch (timer.kind) {
    case 'deadline':
      onDeadline(step);
      return;
    case 'turn-timeout':
      if (stageOf(step.state) === 'coordination') {
        abortTurn(step, timer);
      }
      return;
    case 'turn-soft':
      reachSoftLimit(step, timer, 'clock');
      return;
    case 'turn-hard':
      reachHardLimit(step, timer);
      return;
    case 'turn-kill':
      onKill(step, timer);
      return;
    case 'presentation':
      if (stageOf(step.state) === 'presentation') {
        abortPresentation(step, 'presentation_timeout', 'Its presentation took too long.');
      }
      return;
    case 'evaluation':
      abortEvaluation(step, 'The check took too long.');
      return;
    case 'settle':
      return;
    case 'judge':
      onJudgeTimer(step);
      return;
    case 'back-off':
      onBackOff(step, timer);
      return;
    default:
      assertNever(timer, 'timer');
  }
}

function onDeadline(step: Step): void {
  const stage = stageOf(step.state);
  if (stage === 'coordination') {
    closeAtCap(step, 'duration');
    return;
  }
  step.emit({ type: 'cap-reached', cap: 'duration' });
  if (stage === 'presentation') {
    abortPresentation(step, 'presentation_stopped', 'The time of the run is over.');
  } else {
    abortEvaluation(step, 'The time of the run is over.');
  }
}

/** The agent is free and starts when the instant has ended; a clock that rang too early is set again. */
function onBackOff(step: Step, timer: Extract<TimerId, { readonly kind: 'back-off' }>): void {
  const agent = step.state.agents[timer.slot - 1];
  const heldUntil = agent?.draft ? agent.draft.heldAt + longestHold(step.state) : 0;
  const delayMs = Math.max(agent?.notBefore ?? 0, heldUntil) - step.at;
  if (delayMs > 0) {
    step.request({ kind: 'set-timer', timer, delayMs });
  }
}
