// Random teams, settings and scripts whose runs must all end: answers and turns are limited.
import fc from 'fast-check';
import type { CoordinationSettings } from '../../../src/run/coordination-settings';
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
    { weight: 10, arbitrary: target.map((one) => ({ kind: 'votes', targets: [one] }) as const) },
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
  );
}

/** Few distinct durations, so that things often happen at one instant. */
function scripts(count: number): fc.Arbitrary<readonly (readonly ScriptStep[])[]> {
  const step = fc.record({
    takes: fc.constantFrom(10, 20, 30, 40, 70),
    action: actions(count),
  });
  return fc.array(fc.array(step, { maxLength: 14 }), { minLength: count, maxLength: count });
}

const settings: fc.Arbitrary<Partial<CoordinationSettings>> = fc.record({
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
  selfVote: fc.constantFrom('allow', 'forbid', 'ignore'),
  stop: fc.constantFrom('full' as const, 'exact' as const),
  onSplit: fc.constantFrom('tie_break', 'runoff', 'another_round', 'fail'),
  tieBreak: fc.subarray(
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
  backoffMs: fc.constantFrom(0, 15),
  turnTimeoutMs: fc.constant(200),
  finalAnswerStrategy: fc.constantFrom('winner_reuse', 'winner_present'),
  presentationTimeoutMs: fc.constant(300),
});

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
      deadline: fc.constantFrom(null, null, 150),
      cancelAt: fc.constantFrom(null, null, null, 90),
      modelCalls: fc.constantFrom(null, null, 7),
    }),
  )
  .map(({ agents, weights, ...rest }) => ({
    started: startedRun(agents.length, {
      ...rest,
      judge: null,
      weights: Object.fromEntries(weights.map((weight, index) => [index + 1, weight])),
    }),
    agents,
    cancelAt: rest.cancelAt,
  }));
