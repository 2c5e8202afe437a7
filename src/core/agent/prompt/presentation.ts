// What the presenter of a run is told at the end of its first message.
import type { Label } from '../../../base/ids';
import type { Ballot } from '../../../run/facts';
import type { RunState } from '../../../run/state';
import type { Tool } from '../../ports/tool';
import { answerBlocks, type ShownAnswer } from './answers';
import { block } from './delimiters';

export interface Presentation {
  readonly state: RunState;
  /** The answer that was chosen; absent where nothing was asked before. */
  readonly selected: Label | undefined;
  readonly answers: readonly ShownAnswer[];
  /** Characters for all answers. */
  readonly budget: number;
  readonly tools: readonly Tool[];
  /** Puts the reader's own places into a text that was kept without any. */
  readonly localize: (text: string) => string;
}

const reader =
  'Write for a reader who has seen nothing of the work: complete, in Markdown, without mention of agents, numbers of agents or votes. Reply with the final text alone.';

export function presentationPart(presentation: Presentation): string {
  const { state, selected } = presentation;
  if (selected === undefined) {
    return ['# This turn', 'Do the task now, alone.', reader].join('\n');
  }
  if (state.settings.mode === 'decomposition') {
    return [
      allAnswers(presentation),
      presentation.localize(blockedParts(state)),
      combine(presentation),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  }
  return state.settings.finalAnswerStrategy === 'synthesize'
    ? [allAnswers(presentation), synthesis(presentation)].join('\n\n')
    : [...chosen(presentation, selected), closing(presentation)].join('\n\n');
}

function chosen(presentation: Presentation, selected: Label): readonly string[] {
  const { state, answers, budget, localize } = presentation;
  const own = answers.filter((answer) => answer.revision.label === selected);
  const others = answers.filter((answer) => answer.revision.label !== selected);
  const otherBudget = Math.floor((budget * others.length) / Math.max(1, answers.length));
  const isAlone = state.agents.length === 1;
  return [
    ...(isAlone ? [] : [localize(voteSummary(state, selected))]),
    `The selected answer:\n\n${answerBlocks(own, budget - otherBudget)}`,
    ...(others.length === 0
      ? []
      : [
          `The other answers, for comparison; take over from them only what is true of the selected one:\n\n${answerBlocks(others, otherBudget)}`,
        ]),
  ];
}

function closing(presentation: Presentation): string {
  return [
    '# This turn',
    presentation.state.agents.length === 1
      ? 'The selected answer is yours. You write the final text for the user.'
      : 'The team has chosen the selected answer by vote. You write the final text for the user.',
    'The files of the selected answer are fixed: you can read them, but not change them. Report what they do; do not promise other changes.',
    ...plannedActions(presentation),
    reader,
  ].join('\n');
}

function allAnswers({ answers, budget }: Presentation): string {
  return `The answers of the team, all as sources:\n\n${answerBlocks(answers, budget)}`;
}

function synthesis(presentation: Presentation): string {
  const { selected = '' } = presentation;
  return [
    '# This turn',
    'You write one final text for the user out of all these answers. Weigh them as equal sources: take the best of each, and where they contradict each other decide by what you can check.',
    `The user is given the files of answer ${selected}; they are fixed. Say of files only what is true of these.`,
    ...plannedActions(presentation),
    reader,
  ].join('\n');
}

function combine(presentation: Presentation): string {
  const { selected = '' } = presentation;
  return [
    '# This turn',
    'The agents have each done a part of the task. You put the parts together into one final text for the user.',
    `The user is given the files of answer ${selected}; they are fixed. Say of files only what is true of these.`,
    ...plannedActions(presentation),
    reader,
  ].join('\n');
}

/** Who could not finish, so that the final text does not promise it. */
function blockedParts({ agents }: RunState): string {
  const blocked = agents.flatMap(({ info, stop }) =>
    stop?.status === 'blocked' ? [`- agent${info.slot}: ${stop.summary}`] : [],
  );
  return blocked.length === 0
    ? ''
    : `These parts could not be finished:\n${block('unfinished parts', blocked.join('\n'))}`;
}

function plannedActions({ tools }: Presentation): readonly string[] {
  const names = tools.filter(({ effect }) => effect === 'external').map(({ name }) => name);
  return names.length === 0
    ? []
    : [
        `Actions that the selected answer plans with ${names.join(', ')} are carried out now: each once, as it is described there, before you write the final text. Report what came of them.`,
      ];
}

function voteSummary(state: RunState, selected: Label): string {
  const valid = state.agents
    .map((agent) => agent.ballot)
    .filter((ballot): ballot is Ballot => ballot !== null && ballot.void === undefined);
  if (valid.length === 0) {
    return 'No votes were cast.';
  }
  const forIt = valid.filter((ballot) => ballot.target === selected);
  const reasons = forIt.map((ballot) => ballot.reason).filter((reason) => reason !== '');
  return [
    `${forIt.length} of ${valid.length} votes are for ${selected}.`,
    ...(reasons.length === 0
      ? []
      : [`The reasons given:\n${block('reasons', reasons.map((r) => `- ${r}`).join('\n'))}`]),
  ].join(' ');
}
