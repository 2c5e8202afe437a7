import type { Label, Slot } from '../../../base/ids';
import { isExcluded } from '../../../run/checks';
import type { RunState } from '../../../run/state';
import type { Toolset } from '../../coordination/inputs';
import { currentRevisions, slotOf } from '../../coordination/ledger';
import { selfVotes } from '../../coordination/self-votes';
import { targetNames } from '../workflow-specs';

const criterion = {
  lenient: 'it addresses the task well',
  balanced:
    'it is complete, correct and clear, and you see no gap and no change that would matter to the user',
  strict:
    'it covers every aspect and edge case of the task, every claim is justified, and nothing is left to improve',
} as const;

const novelty = {
  lenient: 'An answer with the text of one that exists is refused.',
  balanced:
    'A new answer must bring something substantially new: another approach or other content, not other words.',
  strict: 'A new answer must take a fundamentally different approach from all answers so far.',
} as const;

const ownVote = {
  allow: [],
  forbid: ['You cannot vote for an answer of your own.'],
  ignore: ['A vote for an answer of your own is accepted, but not counted.'],
} as const;

/** What a turn of the coordination is for. `toolset` is that of its first call. */
export function turnSection(state: RunState, slot: Slot, toolset: Toolset): string {
  const { blockedTools = [] } = toolset;
  return [
    '# This turn',
    ...pollWords(state),
    ...failedWords(state, slot, toolset),
    ...steps(state, slot, toolset),
    ...(blockedTools.length === 0
      ? []
      : [
          `Closed until an answer is chosen: ${blockedTools.join(', ')}. They have an effect that cannot be taken back. Describe in your answer what is to be done with them, with all values.`,
        ]),
  ].join('\n');
}

/** Why the agent's own answer cannot be chosen, and what it can do about it. */
function failedWords(state: RunState, slot: Slot, toolset: Toolset): readonly string[] {
  const label = currentRevisions(state).find((revision) => revision.slot === slot)?.label;
  if (label === undefined || !isExcluded(state, label)) {
    return [];
  }
  const why = `Your answer ${label} fails checks that pass in the untouched project, so nobody can vote for it.`;
  return toolset.hasNewAnswer
    ? [`${why} Find out why, mend it and hand it in again with \`new_answer\`.`]
    : [why];
}

function steps(state: RunState, slot: Slot, toolset: Toolset): readonly string[] {
  if (toolset.hasStop === true) {
    return [
      'Do the part of the task that is yours; when nothing names it, take what the others have not done. Hand in its result with `new_answer`, complete and understandable on its own, and use what the others have handed in.',
      'When your part is done and needs no further work, call `stop` with status `complete`. When you cannot go on, call it with status `blocked` and say why.',
    ];
  }
  if (state.agents.length === 1) {
    return [
      'Do the task, then call `new_answer` with a complete answer that stands on its own.',
      ...answerRules(state),
      ...(toolset.hasVote ? ['When your answer needs no further work, `vote` for it.'] : []),
      ...voteLater(toolset),
    ];
  }
  return toolset.hasVote
    ? withVote(state, slot, toolset)
    : [answerStep, ...answerRules(state), ...voteLater(toolset)];
}

/** A tool that is offered from the start, so that the tools need not change when it can be used. */
function voteLater({ mayVoteLater }: Toolset): readonly string[] {
  return mayVoteLater === true
    ? [
        'There is no answer that you can vote for yet. You are told when there is; until then `vote` is refused.',
      ]
    : [];
}

/** What an answer is refused for, so that nobody has to find out. */
function answerRules(state: RunState): readonly string[] {
  const { settings } = state;
  return [
    ...(settings.novelty === 'lenient' && currentRevisions(state).length === 0
      ? []
      : [novelty[settings.novelty]]),
    `An answer has at most ${settings.maxAnswerChars} characters.`,
  ];
}

const answerStep =
  'Do the work, use the strengths of the answers you are shown, then call `new_answer` with a complete answer that stands on its own. It must make sense to a reader who has seen no other answer.';

const ballot =
  'Name further answers that would do as well in `approve`; when you cannot judge, set `abstain`.';

function withVote(state: RunState, slot: Slot, toolset: Toolset): readonly string[] {
  const { hasNewAnswer } = toolset;
  const agent = state.agents.find(({ info }) => info.slot === slot);
  const sensitivity = agent?.info.votingSensitivity ?? state.settings.votingSensitivity;
  const own = [
    `You can vote for ${targetNames(toolset).join(', ')}.`,
    ...ownVote[selfVotes(state)],
  ];
  if (!hasNewAnswer) {
    return [
      `You can only vote now. Compare the answers you are shown, then call \`vote\` for the best one and give the reason in one sentence. ${ballot}`,
      ...own,
    ];
  }
  return [
    `First look at the answers that exist. The best of them is good enough when ${criterion[sensitivity]}. If so, call \`vote\` for it and give the reason in one sentence. ${ballot}`,
    ...own,
    `If not: ${answerStep}`,
    ...answerRules(state),
  ];
}

/** Why the agent is asked again. */
function pollWords(state: RunState): readonly string[] {
  const { poll, extraRounds } = state;
  if (poll.kind === 'runoff') {
    const names = poll.candidates.map(slotName).join(' and ');
    return poll.isDualPass === true
      ? [
          `The votes for ${names} are so close that everybody compares the two once more, in the opposite order. Decide afresh.`,
        ]
      : [`No answer won yet: this is a run-off between ${names}. Only these can be voted for.`];
  }
  return poll.kind === 'open' && extraRounds > 0
    ? [
        `No answer found enough agreement${splitWords(state)}, so there is another round. Improve your answer, or vote for one that you can agree with.`,
      ]
    : [];
}

/** How the votes were divided that led to another round, by answer and never by voter; empty without any. */
function splitWords(state: RunState): string {
  const all = state.agents.flatMap(({ ballots }) => ballots);
  const old = all.filter((one) => one.void?.by === 'extra_round');
  const last = Math.max(...old.map((one) => one.void?.seq ?? 0));
  const votes = new Map<Label, number>();
  for (const { target, voter, weight, void: end } of old) {
    if (end?.seq === last && (selfVotes(state) === 'allow' || slotOf(target) !== voter)) {
      votes.set(target, (votes.get(target) ?? 0) + weight);
    }
  }
  const counts = [...votes]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([label, n]) => `${label}: ${n} ${n === 1 ? 'vote' : 'votes'}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

function slotName(slot: Slot): string {
  return `agent${slot}`;
}
