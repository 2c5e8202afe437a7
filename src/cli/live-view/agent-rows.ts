// The table of the team: for each agent its state in one row and what it is doing below.
import { type AgentCard, type CardIcon, selectCards } from '../../run/selectors/cards';
import { formatCount, formatTokens } from '../../run/selectors/formats';
import { selectTally } from '../../run/selectors/tally';
import type { RunState, UsageTotals } from '../../run/state';
import { language } from '../language';
import type { Style } from '../terminal';
import { cutLine, fill, fillLeft, type Line, oneLine, widthOf } from './text-cells';

const marks: Readonly<Record<CardIcon, { readonly mark: string; readonly style: Style }>> = {
  working: { mark: '●', style: 'cyan' },
  'needs-you': { mark: '!', style: 'yellow' },
  waiting: { mark: '…', style: 'yellow' },
  answered: { mark: '✓', style: 'green' },
  voted: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  stopped: { mark: '■', style: 'dim' },
  idle: { mark: '○', style: 'dim' },
};

export function markOf(icon: CardIcon): { readonly mark: string; readonly style: Style } {
  return marks[icon];
}

interface Row {
  readonly card: AgentCard;
  readonly label: string;
  /** The beginning of its answer; empty while it has none. */
  readonly summary: string;
  readonly votes: string;
  readonly calls: string;
  readonly tokens: string;
}

interface Widths {
  readonly name: number;
  readonly status: number;
  readonly label: number;
  readonly hasVotes: boolean;
  readonly cost: number;
}

/** `rows`: how many lines there are for it. With few of them the lines below are left out, then agents at the end. */
export function agentRows(
  state: RunState,
  now: number,
  { width, rows }: { readonly width: number; readonly rows: number },
): readonly Line[] {
  const all = toRows(state, now);
  const widths = columnWidths(all, width);
  const isDetailed = 1 + all.length * 2 <= rows;
  const hidden = 1 + all.length <= rows ? 0 : all.length - Math.max(1, rows - 2);
  const shown = all.slice(0, all.length - hidden);
  return [
    headOf(widths),
    ...shown.flatMap((row) => [
      cutLine(agentLine(row, widths), width),
      ...(isDetailed ? [cutLine([{ text: '    ' }, ...doing(row)], width)] : []),
    ]),
    ...(hidden > 0 ? [[{ text: `  and ${hidden} more`, style: 'dim' } as const]] : []),
  ];
}

function toRows(state: RunState, now: number): readonly Row[] {
  const { rows } = selectTally(state);
  return selectCards(state, now, language).map((card, i) => {
    const agent = state.agents[i];
    const tally = rows.find(({ slot }) => slot === card.slot);
    const usage = agent?.usage;
    return {
      card,
      label: agent?.revisions.at(-1)?.label ?? '',
      summary: agent?.revisions.at(-1)?.text.trim().split('\n', 1)[0] ?? '',
      votes: tally === undefined ? '' : formatCount(tally.votes, language),
      calls: usage === undefined ? '' : formatCount(usage.calls, language),
      tokens: usage === undefined ? '' : tokensOf(usage),
    };
  });
}

function tokensOf({ unmeteredCalls, inputTokens, outputTokens }: UsageTotals): string {
  const tokens = inputTokens + outputTokens;
  return unmeteredCalls > 0 && tokens === 0 ? '?' : formatTokens(tokens, language);
}

const countWidth = 6;
const tokenWidth = 8;

/** On narrow screens tokens go first, then votes; names give way before states do. */
function columnWidths(rows: readonly Row[], width: number): Widths {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));
  const status = Math.min(20, Math.max(8, widest(rows.map(({ card }) => card.status))) + 2);
  const label = Math.max(6, widest(rows.map((row) => row.label)));
  const cost = Math.min(18, Math.max(6, widest(rows.map(({ card }) => card.cost))) + 2);
  const hasVotes = width >= 76;
  const fixed =
    4 + status + 2 + label + countWidth + cost + (hasVotes ? countWidth + tokenWidth : 0);
  const names = Math.max(5, widest(rows.map(({ card }) => oneLine(card.model))));
  return { name: Math.max(5, Math.min(names, width - fixed - 2)), status, label, hasVotes, cost };
}

function headOf({ name, status, label, hasVotes, cost }: Widths): Line {
  const text = [
    '    ',
    fill('Agent', name + 2),
    fill('State', status + 2),
    fill('Answer', label),
    hasVotes ? fillLeft('Votes', countWidth) : '',
    fillLeft('Calls', countWidth),
    hasVotes ? fillLeft('Tokens', tokenWidth) : '',
    fillLeft('Cost', cost),
  ].join('');
  return [{ text, style: 'dim' }];
}

function agentLine({ card, label, votes, calls, tokens }: Row, widths: Widths): Line {
  const { mark, style } = marks[card.icon];
  return [
    { text: `${fillLeft(String(card.slot), 2)}  `, style: 'bold' },
    { text: fill(oneLine(card.model), widths.name + 2) },
    { text: `${mark} `, style },
    { text: fill(card.status, widths.status), style },
    { text: fill(label, widths.label), style: 'cyan' },
    ...(widths.hasVotes ? [{ text: fillLeft(votes, countWidth) }] : []),
    { text: fillLeft(calls, countWidth) },
    ...(widths.hasVotes ? [{ text: fillLeft(tokens, tokenWidth) }] : []),
    { text: fillLeft(card.cost, widths.cost) },
  ];
}

/** What the agent does; else the end of what it is writing, or the beginning of what it handed in. */
function doing({ card: { now, text, icon }, summary }: Row): Line {
  // A bare label stands in its column already.
  const code = now.text === '' && now.icon === 'answer' ? '' : now.code;
  const words = [code, oneLine(now.text), now.since].filter((part) => part !== '').join(' ');
  const newest = icon === 'working' ? text.trim().split('\n').at(-1) : undefined;
  const written = oneLine(newest === undefined || newest === '' ? summary : newest);
  return [{ text: words === '' ? written : words, style: 'dim' }];
}
