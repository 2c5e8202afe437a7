// Lines of the automation mode: one fact per line, `KEY: value`, plain text and nothing else on standard output.
import { clip } from '../base/text';
import type { Label } from '../base/ids';
import type { CheckReport } from '../run/check-facts';
import { gatesFailedBy, reportOf } from '../run/checks';
import type { OrchestrationRestarted } from '../run/poll-events';
import type { RunState } from '../run/state';

export interface AutomationFiles {
  readonly logDir: string;
  readonly statusFile: string;
}

/** The first lines, printed as soon as the run has a folder. */
export function automationHead(
  task: string,
  { logDir, statusFile }: AutomationFiles,
): readonly string[] {
  return [
    line('LOG_DIR', logDir),
    line('STATUS', statusFile),
    line('QUESTION', task),
    '[Coordination in progress - monitor status.json for real-time updates]',
  ];
}

/** The team starts anew: the number of the attempt that begins, of how many, and why. */
export function automationRestart(
  { attempt, reason }: OrchestrationRestarted,
  { settings }: RunState,
): string {
  return line('RESTART', `Attempt ${attempt}/${settings.maxRestarts + 1}: ${reason}`);
}

export interface AutomationResult {
  /** `undefined` when there is no answer. */
  readonly answerFile: string | undefined;
  readonly elapsedMs: number;
}

/** The last lines, whatever the end was. */
export function automationTail(
  state: RunState,
  { answerFile, elapsedMs }: AutomationResult,
): readonly string[] {
  const winner = state.selection?.winner ?? null;
  const id = winner === null ? undefined : state.agents[winner.slot - 1]?.info.id;
  const seconds = `${(elapsedMs / 1000).toFixed(1)}s`;
  return [
    ...(id === undefined ? [] : [line('WINNER', id)]),
    ...(answerFile === undefined ? [] : [line('ANSWER_FILE', answerFile)]),
    ...checkLines(state),
    line('DURATION', seconds),
    ...(state.finalAnswer === null
      ? []
      : [line('ANSWER_PREVIEW', clip(state.finalAnswer.text, 200))]),
    line('COMPLETED', `${state.agents.length} agents, ${seconds} total`),
  ];
}

/** For each answer that was checked, how many checks it passes, and what keeps it out of the vote. */
function checkLines(state: RunState): readonly string[] {
  const labels = state.agents.flatMap(({ revisions }) => revisions.map(({ label }) => label));
  const told = labels.flatMap((label) => {
    const report = reportOf(state, label);
    return report === null ? [] : [`${label} ${passedOf(report)}${exclusionOf(state, label)}`];
  });
  return told.length === 0 ? [] : [line('CHECKS', told.join('; '))];
}

function passedOf({ results }: CheckReport): string {
  const told = results.filter(({ status }) => status !== 'not-run');
  return `${told.filter(({ status }) => status === 'passed').length}/${told.length}`;
}

function exclusionOf(state: RunState, label: Label): string {
  const failed = gatesFailedBy(state, label);
  return failed.length === 0 ? '' : ` (out of the vote: ${failed.join(', ')})`;
}

/** Values keep to one line: line ends are written as `\n`. */
function line(key: string, value: string): string {
  return `${key}: ${value.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}`;
}
