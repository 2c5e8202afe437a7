// Random teams, settings and scripts whose runs must all end: answers and turns are limited.
import fc from 'fast-check';
import { toLabel } from '../../../src/base/ids';
import type { UserCommand } from '../../../src/core/coordination/inputs';
import type { CoordinationSettings, TieBreakElement } from '../../../src/run/coordination-settings';
import type { ToolInfo } from '../../../src/run/facts';
import type { Play } from './player';
import type { ScriptAction, ScriptStep } from './steps';
import { startedRun } from './team';

const texts = fc.constantFrom('one two three', 'one two four', 'five', 'six seven', 'eight', ' ');

function actions(count: number): fc.Arbitrary<ScriptAction> {
  const target = fc
    .tuple(fc.integer({ min: 1, max: count + 1 }), fc.constantFrom('', '', '', '.1', '.2'))
    .map(([slot, n]) => `${slot}${n}`);
  return fc.oneof(
    { weight: 8, arbitrary: texts.map((text) => ({ kind: 'answers', texts: [text] }) as const) },
    { weight: 20, arbitrary: target.map((one) => ({ kind: 'votes', targets: [one] }) as const) },
    { weight: 3, arbitrary: fc.constant({ kind: 'tool', name: 'read' } as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<ScriptAction>(
        { kind: 'text' },
        { kind: 'unknown' },
        { kind: 'both' },
        { kind: 'transient' },
        { kind: 'fatal' },
        { kind: 'abstain' },
        { kind: 'hang' },
        { kind: 'stop', status: 'complete' },
        { kind: 'answers', texts: ['nine', 'ten'] },
        { kind: 'votes', targets: ['1', '2'] },
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom<readonly ('submit' | 'unsure' | 'restart')[]>(
          ['restart'],
          ['restart'],
          ['submit'],
          ['unsure'],
          ['submit', 'restart'],
          [],
        )
        .map((findings) => ({ kind: 'findings', findings }) as const),
    },
  );
}

/** Few distinct durations, so that things often happen at one instant. */
function scripts(count: number): fc.Arbitrary<readonly (readonly ScriptStep[])[]> {
  const step = fc.record({
    takes: fc.constantFrom(10, 20, 30, 40, 70),
    action: actions(count),
  });
  return fc.array(fc.array(step, { minLength: 5, maxLength: 14 }), {
    minLength: count,
    maxLength: count,
  });
}

const settings: fc.Arbitrary<Partial<CoordinationSettings>> = fc
  .record({
    profile: fc.constantFrom('compat', 'recommended'),
    rule: fc.constantFrom(
      'plurality',
      'majority',
      'supermajority',
      'unanimity',
      'min_agreement',
      'weighted',
    ),
    threshold: fc.constantFrom(null, 0.5, 0.75),
    quorum: fc.constantFrom(1, 0.66, 0.5),
    electorate: fc.constantFrom('all', 'answered'),
    selfVote: fc.constantFrom('allow', 'forbid', 'ignore', 'by_panel_size'),
    stop: fc.constantFrom('full', 'exact', 'posterior'),
    margin: fc.constantFrom(0, 0, 1),
    families: fc.constantFrom('label', 'weight'),
    dualPass: fc.constantFrom('off', 'close'),
    onSplit: fc.constantFrom(
      ...(['tie_break', 'runoff', 'runoff', 'runoff'] as const),
      ...(['another_round', 'fail', 'judge', 'human'] as const),
    ),
    hasJudge: fc.boolean(),
    humanTimeoutMs: fc.constant(40),
    tieBreak: fc.subarray<TieBreakElement>(
      ['votes_from_others', 'approvals', 'smaller_change', 'latest', 'earliest', 'seeded_hash'],
      { maxLength: 3 },
    ),
    voteInvalidation: fc.constantFrom('all', 'superseded_only'),
    updateDelivery: fc.constantFrom('inject', 'inject', 'restart', 'defer', 'off'),
    firstAnswerProtection: fc.boolean(),
    waitForFirstRival: fc.boolean(),
    deferVotingUntilAllAnswered: fc.boolean(),
    skipVoting: fc.constantFrom(false, false, false, true),
    mode: fc.constantFrom('voting', 'voting', 'voting', 'decomposition'),
    maxNewAnswersPerAgent: fc.integer({ min: 1, max: 3 }),
    maxNewAnswersGlobal: fc.constantFrom(null, 2, 4),
    maxMidstreamInjections: fc.constantFrom(null, 0, 1),
    maxStaleRedeliveries: fc.constantFrom(0, 1, 5),
    novelty: fc.constantFrom('lenient', 'balanced', 'strict'),
    fairnessLeadCap: fc.constantFrom(null, null, 1, 2),
    fairnessMaxWaitMs: fc.constant(100),
    maxFailedTurns: fc.constantFrom(1, 2, 2, 2),
    backoffMs: fc.constantFrom(0, 15),
    turnTimeoutMs: fc.constantFrom(null, 200, 200),
    softTurnMs: fc.record({
      first: fc.constantFrom(null, null, 60),
      later: fc.constantFrom(null, null, 20),
    }),
    turnGraceMs: fc.constant(30),
    hardKillMs: fc.constantFrom(10, 40),
    finalAnswerStrategy: fc.constantFrom('winner_reuse', 'winner_present', 'synthesize'),
    timeoutPresentation: fc.constantFrom('reuse', 'present'),
    presenterSlot: fc.constantFrom(null, 1, 2),
    presentationTimeoutMs: fc.constant(300),
    maxRestarts: fc.constantFrom(0, 0, 1, 2),
    evaluator: fc.constantFrom('winner', 'other', 'judge'),
    postEvaluationTimeoutMs: fc.constant(90),
    planning: fc.constantFrom('off', 'external', 'classify'),
    settleMs: fc.constantFrom(0, 0, 15),
    singleAgentVote: fc.boolean(),
    duplicateConsidersFiles: fc.boolean(),
  })
  // One of the limits has to end a turn that hangs.
  .map((own): Partial<CoordinationSettings> =>
    own.turnTimeoutMs === null ? { ...own, softTurnMs: { first: 120, later: 90 } } : own,
  );

/** Few distinct times, so that they often meet those of the agents. */
function commands(count: number): fc.Arbitrary<NonNullable<Play['commands']>> {
  const slot = fc.integer({ min: 1, max: count + 1 });
  const targets = fc.oneof(fc.constant(null), fc.array(slot, { maxLength: 2 }));
  const label = fc.tuple(slot, fc.constantFrom(1, 2)).map(([of, n]) => toLabel(of, n));
  const steer = fc.record({
    kind: fc.constant('steer' as const),
    id: fc.uuid(),
    text: fc.constantFrom('Use tabs.', ' '),
    targets,
  });
  // A choice of the user ends what there is to decide, so it is rarer than the rest.
  const command = fc.oneof<fc.WeightedArbitrary<UserCommand>[]>(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer-now' as const), slot }) },
    { weight: 3, arbitrary: steer },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('revive' as const), slot }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('override' as const), label }) },
  );
  const at = fc.constantFrom(0, 30, 60, 80, 110, 150, 200);
  return fc.oneof(fc.constant([]), fc.array(fc.record({ at, command }), { maxLength: 4 }));
}

const tools: readonly ToolInfo[] = [
  { name: 'read', effect: 'read' },
  { name: 'send', effect: 'external' },
  { name: 'look', effect: 'unknown' },
];

export const randomPlays: fc.Arbitrary<Play> = fc
  .integer({ min: 1, max: 5 })
  .chain((count) =>
    fc.record({
      agents: scripts(count),
      settings,
      weights: fc.array(fc.constantFrom(1, 1, 1, 2, 0, 0.5), {
        minLength: count,
        maxLength: count,
      }),
      deadline: fc.constantFrom(null, null, null, null, 150),
      cancelAt: fc.constantFrom(null, null, null, null, null, null, null, 90),
      modelCalls: fc.constantFrom(null, null, null, null, null, 7),
      judge: fc.constantFrom(null, 1, 2),
      judgeTakes: fc.constantFrom(0, 0, 30, null),
      judgesWork: fc.constantFrom('submit', 'restart', ''),
      commands: commands(count),
      plan: fc.constantFrom(null, ['look']),
      tools: fc.constantFrom([], tools),
    }),
  )
  .map(({ agents, weights, settings: own, deadline, modelCalls, tools: given, ...outside }) => ({
    started: {
      ...startedRun(agents.length, {
        ...{ settings: own, deadline, modelCalls, judge: null, cancelAt: null },
        weights: Object.fromEntries(weights.map((weight, index) => [index + 1, weight])),
      }),
      tools: given,
    },
    agents,
    ...outside,
  }));
