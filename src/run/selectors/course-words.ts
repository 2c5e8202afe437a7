// What the timeline says of the course of a run and of what the user did in it, beside answers and votes.
import type { Slot } from '../../base/ids';
import type { CheckSubject } from '../check-facts';
import type { RunState, SteeringMessage, TimelineEntry } from '../state';
import { failedGateNames } from './check-marks';
import { joinNames } from './formats';
import { agentName } from './names';
import { type RowText, emptyRow } from './row-text';
import { selectMessages } from './messages';

/** The words of these kinds of rows, or `undefined` for another kind. */
export function courseText(
  state: RunState,
  entry: TimelineEntry,
  language: string,
): RowText | undefined {
  switch (entry.kind) {
    case 'dual-pass':
      return {
        ...emptyRow,
        title: 'Compared again',
        note: `in the opposite order, between the answers of ${joinNames(entry.slots.map(agentName), language)}`,
      };
    case 'judge':
      return judgeText(entry);
    case 'time-limit':
      return timeLimitText(entry);
    case 'planning':
      return {
        ...emptyRow,
        title: 'Planning',
        note: `closed until an answer is chosen: ${entry.text}`,
      };
    case 'evaluation':
      return evaluationText(entry);
    case 'attempt':
      return attemptText(state, entry);
    case 'checks':
      return checksText(state, entry, language);
    case 'resumed':
      return { ...emptyRow, title: 'Run continued', note: 'after an interruption' };
    case 'instructions':
      return { ...emptyRow, title: 'Project instructions', note: entry.text };
    case 'effect':
      return { ...emptyRow, title: 'Outside effect', note: `by the tool ${entry.text}` };
    case 'cut':
      return { ...emptyRow, title: 'Cut off', note: 'at the length limit of the model' };
    case 'server-failed':
      return { ...emptyRow, title: 'Tools missing', quote: entry.text };
    case 'server-notice':
      return { ...emptyRow, title: 'About tools', quote: entry.text };
    default:
      return userText(state, entry, language);
  }
}

function userText(state: RunState, entry: TimelineEntry, language: string): RowText | undefined {
  switch (entry.kind) {
    case 'steering':
      return {
        ...emptyRow,
        title: 'Your message',
        note: deliveryNote(state, entry, language),
        quote: entry.text,
      };
    case 'answer-now':
      return { ...emptyRow, title: 'Answer now', note: 'asked by you' };
    case 'override':
      return {
        ...emptyRow,
        title: 'You chose',
        label: entry.labels[0] ?? null,
        note: entry.text === 'before' ? 'before the team did' : 'after the team had decided',
      };
    default:
      return undefined;
  }
}

/** Which tree a row about checks is about. */
export function checkedSubject({ labels: [label], text }: TimelineEntry): CheckSubject {
  if (label !== undefined) {
    return { kind: 'answer', label };
  }
  return text === '' ? { kind: 'baseline' } : { kind: 'mix', snapshotId: text };
}

function checksText(state: RunState, entry: TimelineEntry, language: string): RowText {
  const subject = checkedSubject(entry);
  if (subject.kind !== 'answer') {
    const title = subject.kind === 'mix' ? 'Mix checked' : 'Untouched folder checked';
    return { ...emptyRow, title };
  }
  const gates = failedGateNames(state, subject.label);
  return {
    ...emptyRow,
    title: 'Checked',
    label: subject.label,
    note: gates.length === 0 ? '' : `fails ${joinNames(gates, language)}, out of the vote`,
  };
}

function judgeText(entry: TimelineEntry): RowText {
  const [label] = entry.labels;
  return label === undefined
    ? { ...emptyRow, title: 'No word from the judge', note: 'the order for ties decides' }
    : { ...emptyRow, title: 'Judge chose', label, quote: entry.text };
}

function timeLimitText({ text }: TimelineEntry): RowText {
  if (text === 'repeats') {
    return { ...emptyRow, title: 'Goes in circles', note: 'asked to finish' };
  }
  return text === 'soft'
    ? { ...emptyRow, title: 'Time is up', note: 'asked to finish' }
    : { ...emptyRow, title: 'Tools closed', note: 'it can only answer or vote now' };
}

/** A look at the result that gave no reason has only its word for it. */
function evaluationText({ text }: TimelineEntry): RowText {
  const title = 'Result looked at';
  if (text === 'submit') {
    return { ...emptyRow, title, note: 'it stands' };
  }
  return text === 'restart'
    ? { ...emptyRow, title, note: 'it was found wanting' }
    : { ...emptyRow, title, quote: text };
}

function attemptText({ pastAttempts }: RunState, { text }: TimelineEntry): RowText {
  const before = pastAttempts.find(({ attempt }) => String(attempt + 1) === text);
  return {
    ...emptyRow,
    title: `Attempt ${text}`,
    note: 'the team starts anew',
    quote: before?.evaluation.reason ?? '',
  };
}

/** `to all; read by Agent 1; not yet by Agent 2`, and for one agent `to Agent 2; not read yet`. */
function deliveryNote(state: RunState, entry: TimelineEntry, language: string): string {
  const message = selectMessages(state).find(({ source }) => isOf(source, entry));
  const isToOne = entry.slots.length === 1;
  const to = `to ${entry.slots.length === 0 ? 'all' : names(entry.slots, language)}`;
  const { delivered = [], pending = [] } = message ?? {};
  return `${to}; ${readBy({ delivered, pending, isToOne }, language)}`;
}

interface Readers {
  readonly delivered: readonly Slot[];
  readonly pending: readonly Slot[];
  readonly isToOne: boolean;
}

/** Who has read it. Once nobody can read it any more, it was not read. */
function readBy({ delivered, pending, isToOne }: Readers, language: string): string {
  if (delivered.length === 0) {
    return pending.length === 0 ? 'not read' : 'not read yet';
  }
  if (isToOne) {
    return 'read';
  }
  const rest = pending.length === 0 ? '' : `; not yet by ${names(pending, language)}`;
  return `read by ${names(delivered, language)}${rest}`;
}

function isOf(message: SteeringMessage, entry: TimelineEntry): boolean {
  return message.at === entry.at && message.text === entry.text;
}

function names(slots: readonly Slot[], language: string): string {
  return joinNames(slots.map(agentName), language);
}
