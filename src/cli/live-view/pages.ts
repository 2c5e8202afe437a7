// The lines of each page, as many as there are; the frame shows those that fit.
import type { Slot } from '../../base/ids';
import { currentRevision } from '../../run/selectors/candidates';
import { selectCards } from '../../run/selectors/cards';
import { selectChangedFiles } from '../../run/selectors/changed-files';
import { formatCount } from '../../run/selectors/formats';
import { agentName } from '../../run/selectors/names';
import { answerNotes } from '../../run/selectors/sources';
import { selectTally } from '../../run/selectors/tally';
import { selectVerdict } from '../../run/selectors/verdict';
import { selectVoteList } from '../../run/selectors/vote-list';
import type { RunState } from '../../run/state';
import { language } from '../language';
import { tableLines } from '../table';
import type { Style } from '../terminal';
import { markOf } from './agent-rows';
import { type Line, manyLines, oneLine, wrapped } from './text-cells';

export interface PageSize {
  readonly width: number;
  /** Unix ms. */
  readonly now: number;
}

const blank: Line = [];

export function heading(text: string): Line {
  return [{ text, style: 'bold' }];
}

export function plain(text: string, width: number): readonly Line[] {
  return wrapped(text, width - 2).map((line) => [{ text: `  ${line}` }]);
}

function dim(text: string, width: number): readonly Line[] {
  return wrapped(text, width - 2).map((line) => [{ text: `  ${line}`, style: 'dim' }]);
}

/** All that an agent said: its answers, oldest first, then what it thinks and writes now. */
export function agentPage(state: RunState, slot: Slot, { width, now }: PageSize): readonly Line[] {
  const agent = state.agents[slot - 1];
  const card = selectCards(state, now, language)[slot - 1];
  if (agent === undefined || card === undefined) {
    return [];
  }
  const { mark, style } = markOf(card.icon);
  const answers = agent.revisions.flatMap(({ label, text }) => [
    heading(`Answer ${label}`),
    ...plain(manyLines(text), width),
    blank,
  ]);
  const vote =
    agent.ballot === null
      ? []
      : [
          heading(`Vote for ${agent.ballot.target}`),
          ...plain(manyLines(agent.ballot.reason), width),
          blank,
        ];
  const isRepeated = agent.liveText.trim() === (currentRevision(agent)?.text ?? '').trim();
  return [
    [
      { text: `${agentName(slot)}  `, style: 'bold' },
      { text: `${oneLine(card.model)}  ` },
      { text: `${mark} ${card.status}`, style },
    ],
    blank,
    ...answers,
    ...vote,
    ...section('Thoughts', agent.thinking ?? '', width),
    ...section('Text', isRepeated ? '' : agent.liveText, width),
    ...(agent.lastError === null ? [] : section('Error', agent.lastError.message, width)),
    ...dim([card.now.code, oneLine(card.now.text), card.now.since].join(' ').trim(), width),
  ];
}

function section(title: string, text: string, width: number): readonly Line[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [heading(title), ...plain(manyLines(trimmed), width), blank];
}

/** Who voted for what and why, and how it stands. */
export function votesPage(state: RunState, { width }: PageSize): readonly Line[] {
  const { rows } = selectTally(state);
  const verdict = selectVerdict(state, language);
  const votes = selectVoteList(state);
  const table = tableLines(
    ['Answer', 'Votes', 'Without self-votes', ''],
    rows.map(({ label, votes: all, votesFromOthers, isWinner }) => [
      ...[label, formatCount(all, language), formatCount(votesFromOthers, language)],
      isWinner ? 'chosen' : '',
    ]),
    width - 2,
  );
  return [
    ...(verdict === undefined
      ? []
      : [heading('Decision'), ...plain(`${verdict.headline} ${verdict.paragraph}`, width), blank]),
    heading('Answers'),
    ...(rows.length === 0
      ? dim('No answer yet.', width)
      : table.flatMap((line) => plain(line, width))),
    blank,
    heading('Votes'),
    ...(votes.length === 0 ? dim('No vote yet.', width) : []),
    ...votes.flatMap(({ slot, label, reason, isValid, notes }) => [
      [
        { text: `  ${agentName(slot)}`, style: 'bold' } as const,
        { text: ` for ${oneLine(label)}` },
        {
          text: notes.length === 0 ? '' : ` (${oneLine(notes.join(', '))})`,
          style: 'dim',
        } as const,
      ],
      ...wrapped(manyLines(reason), width - 4).map((text): Line => [
        { text: `    ${text}`, ...(isValid ? {} : { style: 'dim' as const }) },
      ]),
    ]),
  ];
}

export function answerPage(state: RunState, { width }: PageSize): readonly Line[] {
  const { finalAnswer } = state;
  if (finalAnswer === null) {
    return [heading('Final answer'), ...dim('There is none yet.', width)];
  }
  const { files } = selectChangedFiles(state, language);
  return [
    heading(`Final answer, ${finalAnswer.label}`),
    ...plain(manyLines(finalAnswer.text), width),
    ...answerNotes(finalAnswer).flatMap((note) => dim(manyLines(note), width)),
    ...(files.length === 0 ? [] : [blank, heading('Proposed changes')]),
    ...files.flatMap(({ path, added, removed, tags }) =>
      plain(
        oneLine([path, added, removed, ...tags].filter((part) => part !== '').join(' ')),
        width,
      ),
    ),
  ];
}

export function helpPage({ width }: PageSize): readonly Line[] {
  const keys: readonly (readonly [string, string])[] = [
    ['1 to 9', 'all that this agent has said; the same key leads back'],
    ['r', 'votes: who, for what and why'],
    ['s', 'status: folders, rule, limits, cost, problems'],
    ['f', 'final answer'],
    ['t, Esc', 'the team'],
    ['↑ ↓ PgUp PgDn', 'move within a page; g and G: to its ends'],
    ['y a n', 'allow once, allow for this run, or deny what an agent asks for'],
    ['c', 'choose, when the rule leaves it to you'],
    ['q', 'leave this view: stop the run, or go on with plain lines'],
    ['Ctrl+C', 'stop the run; twice: leave at once'],
  ];
  return [heading('Keys'), ...keys.flatMap(([key, text]) => named(key, text, 'cyan', width))];
}

const nameWidth = 18;

/** A name at the left and its text beside it, as many lines as it needs. */
export function named(name: string, text: string, style: Style, width: number): readonly Line[] {
  return wrapped(text, width - nameWidth - 2).map((line, i) => [
    { text: `  ${(i === 0 ? name : '').padEnd(nameWidth)}`, style },
    { text: line },
  ]);
}
