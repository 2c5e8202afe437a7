import fc from 'fast-check';
import { MassGenError } from '../../src/core/errors';
import type { CoordinationSettings } from '../../src/run/coordination-settings';
import { look, put } from './plain-tools';
import { type HarnessOptions, RunHarness } from './run-harness';
import { say, type ScriptedResponse, type ScriptStep } from './scripted-backend';
import type { FakeClock } from './fake-clock';

/** Something the user does when the log has so many events. */
export type Deed =
  | { readonly at: number; readonly kind: 'stop' | 'shutdown' | 'answer-now' | 'steer' }
  | { readonly at: number; readonly kind: 'override' };

/** A run made by chance: what each model says, and the rules it plays by. */
export interface RandomRun {
  readonly scripts: readonly (readonly ScriptedResponse[])[];
  readonly options: HarnessOptions;
  readonly deeds: readonly Deed[];
}

const agents = 3;

const word = fc.constantFrom('north', 'south', 'east', 'west', 'up', 'down');
const target = fc.constantFrom('agent1', 'agent2', 'agent3', 'agent1.1', 'agent9', 'nobody');
const answer = fc.tuple(word, word, word).map((words) => say.answer(words.join(' ')));
const vote = fc.tuple(target, word).map(([to, reason]) => say.vote(to, reason));
const read: ScriptStep = { call: 'look', input: { path: 'a.txt' } };
const missing: ScriptStep = { call: 'look', input: { path: 'none.txt' } };
const write = word.map((text): ScriptStep => ({ call: 'put', input: { path: 'a.txt', text } }));
const failure = fc.constantFrom(
  new MassGenError('backend/rate-limited', 'Too many.', { retryable: true, retryAfterMs: 1_500 }),
  new MassGenError('backend/overloaded', 'Busy.', { retryable: true }),
  new MassGenError('backend/network', 'Cut.', { retryable: true }),
  new MassGenError('backend/auth', 'No.', { hint: 'Set the key.' }),
);

const response: fc.Arbitrary<ScriptedResponse> = fc.oneof(
  { weight: 6, arbitrary: answer.map((one) => [one]) },
  { weight: 6, arbitrary: vote.map((one) => [one]) },
  { weight: 2, arbitrary: fc.tuple(write, answer) },
  { weight: 2, arbitrary: write.map((one) => ['I write.', one]) },
  { weight: 1, arbitrary: fc.constant([read, missing, read]) },
  { weight: 1, arbitrary: fc.constant([{ think: 'Hm.' }, 'Only text.']) },
  { weight: 1, arbitrary: fc.constant([{ rawCall: 'new_answer', argumentsJson: '{"content":' }]) },
  { weight: 1, arbitrary: fc.constant([{ call: 'unheard_of', input: {} }]) },
  { weight: 1, arbitrary: fc.tuple(vote, vote) },
  { weight: 2, arbitrary: failure.map((fail) => ['Half', { fail }]) },
  { weight: 1, arbitrary: fc.constant(['Cut off', { cut: true as const }]) },
  { weight: 1, arbitrary: fc.constant([{ throws: new Error('adapter') }]) },
  {
    weight: 1,
    arbitrary: fc.constant([
      { call: 'restart_orchestration', input: { reason: 'Wrong.', instructions: 'Again.' } },
    ]),
  },
);

const settings: fc.Arbitrary<Partial<CoordinationSettings>> = fc.record({
  profile: fc.constantFrom('compat', 'recommended'),
  rule: fc.constantFrom('plurality', 'majority', 'unanimity'),
  quorum: fc.constantFrom(0.5, 1),
  selfVote: fc.constantFrom('allow', 'forbid', 'ignore'),
  stop: fc.constantFrom('full', 'exact'),
  onSplit: fc.constantFrom('tie_break', 'runoff', 'another_round', 'fail'),
  updateDelivery: fc.constantFrom('inject', 'restart', 'defer', 'off'),
  voteInvalidation: fc.constantFrom('all', 'superseded_only'),
  deferVotingUntilAllAnswered: fc.boolean(),
  firstAnswerProtection: fc.boolean(),
  waitForFirstRival: fc.boolean(),
  maxNewAnswersPerAgent: fc.constantFrom(1, 2, 3),
  fairnessLeadCap: fc.constantFrom(null, 1),
  backoffMs: fc.constantFrom(0, 700),
  turnTimeoutMs: fc.constantFrom(null, 2_000),
  finalAnswerStrategy: fc.constantFrom('winner_present', 'winner_reuse', 'synthesize'),
  maxRestarts: fc.constantFrom(0, 1),
  settleMs: fc.constantFrom(0, 100),
});

const deed: fc.Arbitrary<Deed> = fc.record({
  at: fc.integer({ min: 2, max: 60 }),
  kind: fc.constantFrom('stop', 'shutdown', 'answer-now', 'steer', 'override'),
});

export const randomRun: fc.Arbitrary<RandomRun> = fc
  .record({
    scripts: fc.array(fc.array(response, { minLength: 1, maxLength: 8 }), {
      minLength: agents,
      maxLength: agents,
    }),
    settings,
    modelCalls: fc.constantFrom(null, 12),
    durationMs: fc.constantFrom(null, 5_000),
    deeds: fc.array(deed, { maxLength: 2 }),
  })
  .map(({ scripts, settings: rules, modelCalls, durationMs, deeds }) => ({
    scripts,
    options: {
      settings: rules,
      tools: [look, put],
      caps: { modelCalls, durationMs },
      costUsdPerCall: 0.01,
    },
    deeds,
  }));

/** Plays it to its end, with what the user does meanwhile. `watch` is told of the run before it begins. */
export async function playRandom(
  { scripts, options, deeds }: RandomRun,
  watch?: (harness: RunHarness) => void,
): Promise<RunHarness> {
  const harness = new RunHarness(scripts, options);
  watch?.(harness);
  const { driver, record } = harness;
  const due = [...deeds];
  record.onEvents((_events, state) => {
    for (const deed of due.splice(0)) {
      if (deed.at > state.seq) {
        due.push(deed);
      } else if (deed.kind === 'stop' || deed.kind === 'shutdown') {
        driver.cancel(deed.kind === 'stop' ? 'user' : 'shutdown');
      } else if (deed.kind === 'steer') {
        driver.command({ kind: 'steer', id: 'message1', text: 'Be short.', targets: null });
      } else if (deed.kind === 'answer-now') {
        driver.command({ kind: 'answer-now', slot: 2 });
      } else {
        driver.command({ kind: 'override', label: 'agent1.1' });
      }
    }
  });
  await untilOver(harness.play(), harness.clock);
  return harness;
}

/** Lets the clock run whenever nothing else can go on, until the run is over. */
export async function untilOver<T>(playing: Promise<T>, clock: FakeClock): Promise<T> {
  const over = new AbortController();
  const watched = playing.finally(() => over.abort());
  watched.catch(() => undefined);
  for (let i = 0; i < 1_000; i++) {
    await immediates();
    if (over.signal.aborted) {
      return watched;
    }
    clock.advanceToNext();
  }
  throw new Error('nothing is waited for, and the run is not over');
}

/** Nothing in such a run waits for more than the clock and the queue of microtasks. */
async function immediates(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
