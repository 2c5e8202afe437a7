import { agentName } from '../run/selectors/names';
import type { TimelineRow } from '../run/selectors/timeline';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { Style } from './terminal';

/** A row of the timeline in words: who, and what. */
export function timelineText(row: TimelineRow): { readonly who: string; readonly text: string } {
  const joint = row.slot === null ? '' : row.title === '' ? ' ' : ': ';
  const who = row.slot === null ? '' : agentName(row.slot);
  return { who, text: `${joint}${rowText(row)}` };
}

function rowText({ title, verb, label, note, quote }: TimelineRow): string {
  const head = [title, verb, label ?? ''].filter((part) => part !== '').join(' ');
  const withNote = note === '' ? head : `${head}, ${note}`;
  return revealOnOneLine(quote === '' ? withNote : `${withNote}: ${quote}`);
}

export const timelineStyles: Readonly<Partial<Record<TimelineRow['icon'], Style>>> = {
  answer: 'cyan',
  decided: 'green',
  error: 'red',
  warning: 'yellow',
  cap: 'yellow',
  void: 'dim',
  update: 'dim',
};
