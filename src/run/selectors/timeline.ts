import type { Label, Slot } from '../../base/ids';
import type { RunState, TimelineEntry } from '../state';
import { type CheckMark, selectCheckMarks } from './check-marks';
import { formatClock, formatElapsed } from './formats';
import { agentName } from './names';
import type { RowText } from './row-text';
import { checkedSubject } from './course-words';
import { rowText } from './timeline-words';

export type TimelineIcon =
  | 'start'
  | 'answer'
  | 'vote'
  | 'void'
  | 'update'
  | 'error'
  | 'warning'
  | 'decided'
  | 'cap'
  | 'message'
  | 'again'
  | 'look'
  | 'checks'
  | 'book'
  | 'outside'
  | 'you'
  | 'ended';

export interface TimelineRow extends RowText {
  readonly seq: number;
  /** Since the start of the run: `1:58`. */
  readonly time: string;
  readonly clock: string;
  readonly icon: TimelineIcon;
  /** The lane it stands in; `null` crosses all lanes. */
  readonly slot: Slot | null;
  /** Whose deed it is, where that is an agent; what the user did to an agent only stands in its lane. */
  readonly who: Slot | null;
  /** An answer that was replaced, or a vote that no longer counts. */
  readonly isStruck: boolean;
  /** The results that a row about checks shows; empty for the others. */
  readonly checks: readonly CheckMark[];
  /** The answer that opens with the row, if it is about one. */
  readonly label: Label | null;
  /** The whole row for a screen reader or a log: `1:58, Agent 1 voted agent2.2: Handles …`. */
  readonly sentence: string;
}

/** Updates given to several agents within this time (ms) read as one row. */
const joinWithin = 2000;

const icons: Readonly<Record<TimelineEntry['kind'], TimelineIcon>> = {
  'run-started': 'start',
  answer: 'answer',
  vote: 'vote',
  'vote-ignored': 'void',
  'votes-voided': 'void',
  update: 'update',
  restart: 'update',
  'protocol-error': 'warning',
  'turn-failed': 'warning',
  'agent-failed': 'error',
  'agent-abstained': 'vote',
  runoff: 'decided',
  'extra-round': 'decided',
  cap: 'cap',
  'dual-pass': 'again',
  judge: 'decided',
  'time-limit': 'cap',
  steering: 'message',
  'answer-now': 'you',
  override: 'you',
  planning: 'book',
  evaluation: 'look',
  attempt: 'again',
  resumed: 'start',
  instructions: 'book',
  effect: 'outside',
  cut: 'warning',
  'server-failed': 'warning',
  'server-notice': 'warning',
  checks: 'checks',
  decided: 'decided',
  'final-answer': 'answer',
  ended: 'ended',
  warning: 'warning',
};

/** The rows of the timeline, oldest first. */
export function selectTimeline(state: RunState, language: string): readonly TimelineRow[] {
  return joinUpdates(state.timeline).map((entry) => toRow(state, entry, language));
}

function toRow(state: RunState, entry: TimelineEntry, language: string): TimelineRow {
  const text = rowText(state, entry, language);
  const time = formatElapsed(entry.at - state.startedAt);
  const slot = laneOf(state, entry);
  const isDeed = entry.kind !== 'steering' && entry.kind !== 'checks';
  const who = isDeed ? slot : null;
  const subject = entry.kind === 'checks' ? checkedSubject(entry) : undefined;
  const checks = subject === undefined ? [] : selectCheckMarks(state, subject, language);
  return {
    ...text,
    seq: entry.seq,
    time,
    clock: formatClock(entry.at, language),
    icon: icons[entry.kind],
    slot,
    who,
    label: text.label,
    checks,
    sentence: `${sentence(time, who, text)}${checks.length === 0 ? '' : `: ${checks.map((mark) => mark.sentence).join('; ')}`}`,
  };
}

/** A fact about one agent stands in its lane, also where the event names a list of one. */
function laneOf(state: RunState, entry: TimelineEntry): Slot | null {
  const [only] = entry.slots;
  if (entry.kind === 'decided') {
    return null;
  }
  if (entry.slot === null && entry.slots.length === 1 && only !== undefined) {
    return only;
  }
  return state.agents.length === 1 && entry.kind !== 'answer' ? null : entry.slot;
}

function sentence(time: string, slot: Slot | null, text: RowText): string {
  const parts = [text.title, text.verb, text.label ?? ''].filter((part) => part !== '').join(' ');
  const who = slot === null ? '' : `${agentName(slot)}${text.title === '' ? ' ' : ': '}`;
  const note = text.note === '' ? '' : `, ${text.note}`;
  const quote = text.quote === '' ? '' : `: ${text.quote}`;
  return `${time}, ${who}${parts}${note}${quote}`;
}

/** Deliveries of the same answers to several agents at about the same time become one entry that names them all. */
function joinUpdates(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const joined: TimelineEntry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last !== undefined && isSameUpdate(last, entry)) {
      const slots = [...new Set([...slotsOf(last), ...slotsOf(entry)])].sort((a, b) => a - b);
      joined[joined.length - 1] = { ...last, slot: null, slots };
    } else {
      joined.push(entry);
    }
  }
  return joined;
}

function slotsOf(entry: TimelineEntry): readonly Slot[] {
  return entry.slot === null ? entry.slots : [entry.slot];
}

function isSameUpdate(a: TimelineEntry, b: TimelineEntry): boolean {
  return (
    a.kind === 'update' &&
    b.kind === 'update' &&
    b.at - a.at <= joinWithin &&
    a.labels.join() === b.labels.join()
  );
}
