import { MassGenError } from '../../src/core/errors';
import { look, put } from '../support/plain-tools';
import { gate, type HarnessOptions, RunHarness, settle } from '../support/run-harness';
import { say, type ScriptedResponse } from '../support/scripted-backend';

/** Plays a run to its end and returns it. */
export type Play = () => Promise<RunHarness>;

async function play(
  scripts: readonly (readonly ScriptedResponse[])[],
  options: HarnessOptions = {},
): Promise<RunHarness> {
  const harness = new RunHarness(scripts, options);
  await harness.play();
  return harness;
}

const edit = (text: string) => ({ call: 'put', input: { path: 'a.txt', text } });
const usage = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens },
});

/** The runs whose logs are kept here, by the name of their folder. */
export const goldenRuns: Readonly<Record<string, Play>> = {
  'team-of-three': () =>
    play(
      [
        [
          ['I look first.', { call: 'look', input: { path: 'a.txt' } }, usage(900, 40)],
          [edit('one, fixed\n'), usage(1_000, 60)],
          [say.answer('Fixed by hand.'), usage(1_100, 50)],
          [say.vote('agent3', 'It also has a test.'), usage(2_000, 30)],
        ],
        [
          [say.answer('There is nothing to fix.'), usage(900, 30)],
          [say.vote('agent3', 'I was wrong; this one shows the fault.'), usage(2_000, 30)],
        ],
        [
          [edit('one, fixed and tested\n'), usage(950, 70)],
          [say.answer('Fixed, with a test.'), usage(1_000, 40)],
          [say.vote('agent1', 'Smaller.'), usage(2_000, 20)],
          ['The greeting is fixed, and a test proves it.', usage(2_500, 60)],
        ],
      ],
      { tools: [look, put], costUsdPerCall: 0.002 },
    ),
  'news-and-reconsideration': async () => {
    const { opened, open } = gate();
    const scripts: readonly (readonly ScriptedResponse[])[] = [
      [
        [say.answer('A first try.')],
        [say.answer('A better one.')],
        [say.vote('agent1', 'It is better.')],
        ['The better one.'],
      ],
      [
        [say.answer('Another try.')],
        [{ until: opened }, say.vote('agent1', 'Good enough.')],
        [say.vote('agent1', 'The new one is better still.')],
      ],
      [[say.answer('A third try.')], [say.vote('agent2')], [say.vote('agent2', 'It is short.')]],
    ];
    const harness = new RunHarness(scripts, { settings: { selfVote: 'allow' } });
    const ended = harness.play();
    await settle();
    open();
    await ended;
    return harness;
  },
  trouble: async () => {
    const refused = { fail: new MassGenError('backend/auth', 'The key was refused.') };
    return play([
      [[refused], [refused]],
      [
        ['Only text.'],
        [{ rawCall: 'new_answer', argumentsJson: '{"content":' }],
        [say.answer('In the end an answer.')],
        [say.vote('agent9')],
        [say.vote('agent2', 'It is mine.')],
        [],
      ],
      [
        ['Half', { cut: true }],
        [say.answer('An answer after a cut.')],
        [say.vote('agent2', 'It is calmer.')],
      ],
    ]);
  },
  stopped: async () => {
    const never = new Promise<void>(() => undefined);
    const harness = new RunHarness([
      [[say.answer('Done.')], ['I think that', { until: never }]],
      [['Half a sen', { until: never }]],
    ]);
    const ended = harness.play();
    await settle();
    harness.driver.cancel();
    await ended;
    return harness;
  },
};
