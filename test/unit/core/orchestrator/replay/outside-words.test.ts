import { describe, expect, it } from 'vitest';
import { untilOver } from '../../../../support/random-runs';
import { ReplayedRun, storedOf } from '../../../../support/replayed-run';
import { look } from '../../../../support/plain-tools';
import { type HarnessOptions, RunHarness } from '../../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../../support/scripted-backend';
import { ScriptedSystemModel } from '../../../../support/scripted-system-model';

type Scripts = readonly (readonly ScriptedResponse[])[];

const judged: Scripts = [
  [[say.answer('North.')], [say.vote('agent1')]],
  [[say.answer('South.')], [say.vote('agent2')]],
  [[say.answer('West.')], [say.vote('agent3')]],
];

const begunAnew: Scripts = [
  [
    [say.answer('Half.')],
    [
      {
        call: 'restart_orchestration',
        input: { reason: 'Half is missing.', instructions: 'Do it all.' },
      },
    ],
    [say.answer('All of it.')],
  ],
];

const mail = { ...look, name: 'mail', effect: 'unknown' } as const;

const cases: readonly (readonly [string, Scripts, HarnessOptions])[] = [
  [
    'a judge chose',
    judged,
    {
      settings: {
        ...{ onSplit: 'judge', hasJudge: true, selfVote: 'allow', stop: 'full' },
        finalAnswerStrategy: 'winner_reuse',
      },
      system: { judge: new ScriptedSystemModel('2') },
    },
  ],
  ['an agent found the work wanting', begunAnew, { settings: { maxRestarts: 1 } }],
  [
    'a judge found the work wanting',
    [[[say.answer('Half.')], [say.answer('All of it.')]]],
    {
      settings: { maxRestarts: 1, evaluator: 'judge', hasJudge: true },
      system: { judge: new ScriptedSystemModel('{"decision": "restart", "reason": "Half."}') },
    },
  ],
  [
    'a model was asked about tools',
    [[[say.answer('Done.')]]],
    {
      settings: { planning: 'classify' },
      tools: [mail],
      system: { planner: new ScriptedSystemModel('{"block": ["mail"]}') },
    },
  ],
  [
    'the first agent worked without coordination',
    [[['It is done.']], []],
    { settings: { skipCoordination: true } },
  ],
];

describe('a run played again without asking anybody', () => {
  it.each(cases)('is the same when %s', async (_what, scripts, options) => {
    const harness = new RunHarness(scripts, options);
    const state = await untilOver(harness.play(), harness.clock);
    expect(state.outcome).toBe('completed');
    const again = new ReplayedRun(storedOf(harness), { tools: options.tools ?? [] });
    expect(await untilOver(again.replay(), again.clock)).toBeNull();
    expect(again.record.state).toEqual(state);
  });
});
