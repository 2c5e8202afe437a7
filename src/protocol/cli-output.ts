// Lines of the automation mode: one fact per line, `KEY: value`, plain text and nothing else on standard output.
import { clip } from '../base/text';
import type { OrchestrationRestarted } from '../run/poll-events';
import type { RunState } from '../run/state';

export interface AutomationFiles {
  /** Folder of the session, with one folder per turn; `undefined`, like `statusFile`, when nothing is kept. */
  readonly logDir: string | undefined;
  readonly statusFile: string | undefined;
  /** Folder that is watched for messages to the agents; `undefined`: none is. */
  readonly inbox: string | undefined;
}

/** The first lines, printed as soon as the run has its folder and before any model is asked. */
export function automationHead(
  task: string,
  { logDir, statusFile, inbox }: AutomationFiles,
): readonly string[] {
  const where =
    statusFile === undefined
      ? '[Coordination in progress]'
      : '[Coordination in progress - monitor status.json for real-time updates]';
  return [
    ...pathFor('LOG_DIR', logDir),
    ...pathFor('STATUS', statusFile),
    ...pathFor('RUNTIME_INBOX', inbox),
    line('QUESTION', task),
    where,
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
  /** `undefined` when there is no answer, or nothing is kept. */
  readonly answerFile: string | undefined;
  readonly elapsedMs: number;
  /** Every answer and vote of the last attempt, too. */
  readonly hasTimeline: boolean;
  /** Where the answer was written because that was asked for; `undefined`: nowhere. */
  readonly outputFile: string | undefined;
}

/** The last lines, whatever the end was. */
export function automationTail(
  state: RunState,
  { answerFile, elapsedMs, hasTimeline, outputFile }: AutomationResult,
): readonly string[] {
  const seconds = `${(elapsedMs / 1000).toFixed(1)}s`;
  const { finalAnswer } = state;
  const preview = finalAnswer === null ? undefined : cut(finalAnswer.text, previewLength);
  return [
    '',
    ...lineFor('WINNER', winnerOf(state)),
    ...pathFor('ANSWER_FILE', answerFile),
    line('DURATION', seconds),
    ...(hasTimeline ? timeline(state) : []),
    ...lineFor('ANSWER_PREVIEW', preview),
    '',
    line('COMPLETED', `${state.agents.length} agents, ${seconds} total`),
    ...pathFor('OUTPUT_FILE', outputFile),
  ];
}

const previewLength = 200;
const reasonLength = 50;

function winnerOf({ selection, agents }: RunState): string | undefined {
  const winner = selection?.winner ?? null;
  return winner === null ? undefined : agents[winner.slot - 1]?.info.id;
}

/** Every answer and vote in their order, then what the votes came to. */
function timeline(state: RunState): readonly string[] {
  const nameOf = (slot: number): string => state.agents[slot - 1]?.info.id ?? String(slot);
  const answers = state.agents.flatMap(({ info, revisions }) =>
    revisions.map(({ label, seq }) => ({ seq, text: `[ANSWER] ${info.id}: ${label}` })),
  );
  const votes = state.agents.flatMap(({ ballots }) =>
    ballots.map(({ voter, target, reason, seq, void: lapsed }) => ({
      seq,
      text:
        `[VOTE] ${nameOf(voter)} -> ${authorOf(state, target)} (${target})` +
        (reason === '' ? '' : `: ${cut(reason, reasonLength)}`) +
        (lapsed === undefined ? '' : ' (void)'),
    })),
  );
  const course = [...answers, ...votes].toSorted((a, b) => a.seq - b.seq);
  return ['TIMELINE', ...course.map(({ text }) => oneLine(text)), ...results(state)];
}

function authorOf({ agents }: RunState, label: string): string {
  const author = agents.find(({ revisions }) => revisions.some((one) => one.label === label));
  return author?.info.id ?? '?';
}

function results({ selection }: RunState): readonly string[] {
  const agreement = selection?.agreement ?? null;
  if (agreement === null) {
    return [];
  }
  const winner = selection?.winner?.label;
  const mark = agreement.tieBreakUsed === null ? 'winner' : 'tie-broken';
  const counts = Object.entries(agreement.votes).map(
    ([label, weight]) => `${label} ${weight}${label === winner ? ` (${mark})` : ''}`,
  );
  return [oneLine(`[RESULTS] ${counts.join(', ')}`)];
}

/** The first characters, with three dots when there were more. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${clip(`${text}  `, length + 1).slice(0, -1)}...`;
}

function lineFor(key: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [line(key, value)];
}

function line(key: string, value: string): string {
  return `${key}: ${oneLine(value)}`;
}

/** As it is, so that it can be used without reading anything back. */
function pathFor(key: string, path: string | undefined): readonly string[] {
  return path === undefined ? [] : [`${key}: ${withoutControls(path)}`];
}

/** Values keep to one line and mean nothing to a terminal: line ends are written as `\n`, other controls by their number. */
function oneLine(value: string): string {
  return withoutControls(
    value
      .replaceAll('\\', '\\\\')
      .replaceAll('\r', '\\r')
      .replaceAll('\n', '\\n')
      .replaceAll('\t', '\\t'),
  );
}

/** Controls, line separators, and what turns the direction of writing round. */
function withoutControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
