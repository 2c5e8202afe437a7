// One picture of the screen, made from the state of the run alone: a line for each row.
import { selectPhases } from '../../run/selectors/phases';
import { selectRuleLine } from '../../run/selectors/rule';
import { selectSums } from '../../run/selectors/sums';
import { selectTimeline } from '../../run/selectors/timeline';
import { selectReason } from '../../run/selectors/verdict';
import type { RunState } from '../../run/state';
import { language } from '../language';
import { timelineStyles, timelineText } from '../timeline-text';
import { agentRows } from './agent-rows';
import { approvalKeys, approvalLines, approvalTooLong } from './approval-box';
import { agentPage, answerPage, helpPage, type PageSize, votesPage } from './pages';
import { statusPage } from './status-page';
import { cutLine, edges, fillLeft, type Line, lineWidth, oneLine, wrapped } from './text-cells';
import { canChooseNow, type View } from './view';

export interface Subject {
  readonly state: RunState;
  /** The folder with the readable files of the run. */
  readonly artifactsDir: string;
}

export interface Size extends PageSize {
  readonly height: number;
}

export interface Frame {
  /** Exactly as many as the screen has rows, none wider than it. */
  readonly lines: readonly Line[];
  /** Lines of the page, and how many of them there is room for. */
  readonly pageLines: number;
  readonly pageRows: number;
  /** The whole text of the first approval that waits is in sight; `null`: none waits, or it does not fit. */
  readonly readApproval: string | null;
}

export function frameOf(subject: Subject, view: View, size: Size): Frame {
  const { state } = subject;
  const { width, height } = size;
  const { lines: foot, readApproval } = footLines(state, view, size);
  // What is asked, and the keys, go before everything else where there is not room for all.
  const head = headLines(state, view, size).slice(0, Math.max(0, height - 1 - foot.length));
  const room = Math.max(0, height - head.length - 1 - foot.length);
  const page =
    view.page.kind === 'team' ? teamPage(state, size, room) : pageLines(subject, view, size);
  const from = scrolledTo(view, page.length, room);
  const body = page.slice(from, from + room);
  const rest = Array.from({ length: room - body.length }, (): Line => []);
  const more = page.length > room && room > 0;
  const place = more ? ` ${from + 1} to ${from + body.length} of ${page.length} lines ` : '';
  const lines = [...head, ...body, ...rest, ruler(place, width), ...foot].slice(-height);
  return {
    lines: lines.map((line) => cutLine(line, width)),
    pageLines: page.length,
    pageRows: room,
    readApproval,
  };
}

/** The line between page and keys; where the page is longer than the screen, it says which part is in sight. */
function ruler(place: string, width: number): Line {
  const right = place === '' ? 0 : 2;
  const left = Math.max(0, width - place.length - right);
  return [{ text: `${'─'.repeat(left)}${place}${'─'.repeat(right)}`, style: 'dim' }];
}

function scrolledTo({ scroll }: View, lines: number, room: number): number {
  const last = Math.max(0, lines - room);
  return scroll === 'end' ? last : Math.min(scroll, last);
}

function headLines(state: RunState, view: View, { width, now }: Size): readonly Line[] {
  const phases = selectPhases(state).map(({ text, status }): Line => [
    status === 'now'
      ? { text, style: 'bold' }
      : { text: status === 'done' ? `${text} ✓` : text, style: 'dim' },
  ]);
  const steps = phases.flatMap((phase, i) => (i === 0 ? phase : [{ text: '  ' }, ...phase]));
  const name: Line = [{ text: 'MassGen', style: 'bold' }, { text: `  ${oneLine(state.teamName)}` }];
  const sums = selectSums(state, now, language).slice(0, 4).join('  ');
  const isStopping = view.isStopping && state.outcome === null;
  const isNarrow = lineWidth(name) + lineWidth(steps) + 2 > width;
  return [
    ...(isNarrow ? [name, steps] : [edges(name, steps, width)]),
    edges(
      [{ text: sums, style: 'dim' }],
      isStopping ? [{ text: 'Stopping …', style: 'yellow' }] : [],
      width,
    ),
    [{ text: 'Task  ', style: 'dim' }, { text: oneLine(state.task) }],
    [],
  ];
}

/** The agents, how the vote stands, and the newest rows of the timeline that fit. */
function teamPage(state: RunState, { width, now }: Size, room: number): readonly Line[] {
  const forAgents = Math.max(3, Math.min(1 + state.agents.length * 2, room - 5));
  const agents = agentRows(state, now, { width, rows: forAgents });
  const reason = selectReason(state);
  const rule = reason ?? selectRuleLine(state, language);
  const middle: readonly Line[] = [
    [],
    ...(rule === ''
      ? []
      : [
          ...wrapped(rule, width).map((text): Line => [
            { text, style: reason === undefined ? 'cyan' : 'green' },
          ]),
          [],
        ]),
  ];
  const left = Math.max(0, room - agents.length - middle.length);
  const rows = selectTimeline(state, language).map((row): Line => {
    const { who, text } = timelineText(row);
    const style = timelineStyles[row.icon];
    return [
      { text: `${fillLeft(row.time, 6)}  `, style: 'dim' },
      { text: who, style: 'bold' },
      { text, ...(style === undefined ? {} : { style }) },
    ];
  });
  return [...agents, ...middle, ...(left === 0 ? [] : rows.slice(-left))];
}

function pageLines(
  { state, artifactsDir }: Subject,
  { page }: View,
  size: PageSize,
): readonly Line[] {
  switch (page.kind) {
    case 'team':
      return [];
    case 'agent':
      return agentPage(state, page.slot, size);
    case 'status':
      return statusPage(state, artifactsDir, size);
    case 'votes':
      return votesPage(state, size);
    case 'answer':
      return answerPage(state, size);
    case 'help':
      return helpPage(size);
  }
}

interface Foot {
  readonly lines: readonly Line[];
  readonly readApproval: string | null;
}

function footLines(state: RunState, view: View, { width, height }: Size): Foot {
  const [approval] = state.approvals;
  if (view.asks === 'leave') {
    const question = 'Leave:  s stop the run   l go on with plain lines   any other key: stay';
    return { lines: keysInFull(question, width), readApproval: null };
  }
  if (approval !== undefined) {
    const asked = approvalLines(approval, state, width);
    const keys = keysInFull(approvalKeys, width);
    if (asked.length + keys.length < height) {
      return { lines: [...asked, ...keys], readApproval: approval.approvalId };
    }
    const tooLong = keysInFull(approvalTooLong, width);
    const shown = asked.slice(0, Math.max(1, height - 1 - tooLong.length));
    return { lines: [...shown, ...tooLong], readApproval: null };
  }
  return { lines: [keysLine(state, view, width)], readApproval: null };
}

/** Keys that answer a question stay in sight in a narrow window, too. */
function keysInFull(text: string, width: number): readonly Line[] {
  return wrapped(text, width).map((line): Line => [{ text: line.trim(), style: 'yellow' }]);
}

function keysLine(state: RunState, view: View, width: number): Line {
  if (view.asks === 'choice') {
    return [{ text: 'Press the number of the agent whose answer you choose.', style: 'yellow' }];
  }
  const count = Math.min(9, state.agents.length);
  const parts = [
    canChooseNow(state) ? 'c choose' : '',
    view.page.kind === 'team' ? '' : 't team',
    count === 1 ? '1 agent' : `1-${count} agents`,
    ...['r votes', 's status', 'f answer', '? help', 'q leave'],
  ].filter((part) => part !== '');
  const fits = (some: readonly string[]): boolean => some.join('   ').length <= width;
  // Help tells of what is left out.
  const shown =
    [[], ['s status'], ['s status', 'f answer'], ['s status', 'f answer', 'r votes']]
      .map((left) => parts.filter((part) => !left.includes(part)))
      .find(fits) ?? parts;
  return [{ text: shown.join('   '), style: 'dim' }];
}
