import { describe, expect, it } from 'vitest';
import { backendSystemModel } from '../../../../src/core/orchestrator/backend-system-model';
import type { ModelBackend } from '../../../../src/core/ports/model-backend';
import type { SystemModel } from '../../../../src/core/ports/system-model';
import type { Tool } from '../../../../src/core/ports/tool';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryPayloads } from '../../../support/memory-payloads';
import { look } from '../../../support/plain-tools';
import { type HarnessOptions, RunHarness, settle, silent } from '../../../support/run-harness';
import { say, ScriptedBackend } from '../../../support/scripted-backend';
import { ScriptedSystemModel } from '../../../support/scripted-system-model';

const undecided: NonNullable<HarnessOptions['settings']> = {
  onSplit: 'judge',
  hasJudge: true,
  rule: 'majority',
  selfVote: 'allow',
  stop: 'full',
  finalAnswerStrategy: 'winner_reuse',
  displayOrder: 'config',
};

/** Members of the answer to the first question, by its schema; its words name each of them, too. */
function membersAskedFor({ questions: [question] }: ScriptedSystemModel): readonly string[] {
  const properties = question?.outputSchema?.schema['properties'];
  const members =
    typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  expect(question?.outputSchema?.schema['required']).toEqual(members);
  return members.filter((name) => question?.system.includes(`"${name}"`));
}

/** Three agents of which each votes for itself. */
function split(judge: SystemModel): RunHarness {
  return new RunHarness(
    [
      [[say.answer('North.')], [say.vote('agent1', 'Better than agent2 and agent3.1.')]],
      [[say.answer('South.')], [say.vote('agent2')]],
      [[say.answer('West.')], [say.vote('agent3')]],
    ],
    { settings: undecided, system: { judge } },
  );
}

describe('a judge outside of the team', () => {
  it('chooses between the answers, which have numbers and no names', async () => {
    const judge = new ScriptedSystemModel('2. It is warm there.\nAnd sunny.');
    const harness = split(judge);
    const state = await harness.play();
    const [question] = judge.questions;
    const { candidates } = harness.events.flatMap(({ event }) =>
      event.type === 'judge-asked' ? [event] : [],
    )[0] ?? { candidates: [] };
    expect(candidates).toHaveLength(3);
    expect(state.selection).toMatchObject({
      winner: { slot: candidates[1] },
      agreement: { decidedBy: 'judge' },
    });
    expect(state.judgeVerdict?.reason).toBe('It is warm there. And sunny.');
    const asked = `${question?.system ?? ''}\n${question?.message ?? ''}`;
    expect(asked).toContain('Fix the greeting.');
    expect(asked).toMatch(/candidate 1.*candidate 2.*candidate 3/s);
    expect(asked).toContain('Better than candidate');
    expect(asked).not.toMatch(/agent\d/);
    for (const { id, model } of harness.scanned()) {
      expect(asked).not.toContain(id);
      expect(asked).not.toContain(model);
    }
  });

  it('is a call that the log knows and the run pays for', async () => {
    const harness = split(new ScriptedSystemModel('1'));
    const state = await harness.play();
    expect(harness.types).toEqual(
      expect.arrayContaining(['system-call-started', 'system-call-ended', 'judge-decided']),
    );
    expect(state.systemCalls).toMatchObject({ usage: { calls: 1, costUsd: 0.5 }, current: null });
  });

  it('costs at least what its tokens cost when its service charges for searches, too', async () => {
    const searching: ModelBackend = {
      capabilities: {
        ...{ hasTools: true, hasParallelToolCalls: true },
        ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
      },
      async *stream() {
        yield { type: 'text-delta', text: '1' };
        yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 1 }, hasFees: true };
        yield { type: 'end', reason: 'stop' };
      },
      close: async () => undefined,
    };
    const judge = backendSystemModel({
      ...{ backend: searching, model: 'oracle-9', clock: new FakeClock(), logger: silent },
      ...{ payloads: new MemoryPayloads(), redact: (text: string) => text, costOf: () => 0.5 },
    });
    const { systemCalls } = await split(judge).play();
    expect(systemCalls.usage).toMatchObject({ costUsd: 0.5, unpricedCalls: 1 });
  });

  it('leaves the decision to the votes when its word cannot be read', async () => {
    const state = await split(new ScriptedSystemModel('I like them all.')).play();
    expect(state.judgeVerdict?.label).toBeNull();
    expect(state.selection?.agreement.decidedBy).toBe('tie_break');
  });

  it('is given up when it does not answer', async () => {
    const harness = split(new ScriptedSystemModel(undefined));
    const ended = harness.play();
    await settle();
    for (let i = 0; i < 20 && harness.record.state.outcome === null; i++) {
      harness.clock.advanceToNext();
      await settle();
    }
    expect((await ended).selection?.agreement.decidedBy).toBe('tie_break');
    expect(harness.clock.pending).toBe(0);
  });

  it('is stopped with the run', async () => {
    const harness = split(new ScriptedSystemModel(undefined));
    const ended = harness.play();
    await settle();
    expect(harness.record.state.poll.kind).toBe('judge');
    harness.driver.cancel();
    expect((await ended).outcome).toBe('cancelled');
    expect(harness.types.at(-1)).toBe('system-call-ended');
    expect(harness.clock.pending).toBe(0);
  });

  it('looks at finished work, and the team begins anew with its words', async () => {
    const judge = new ScriptedSystemModel(
      'Here: {"decision": "restart", "reason": "Half is missing.", "instructions": "Do it all."}',
      '{"decision": "submit"}',
    );
    const harness = new RunHarness([[[say.answer('Half.')], [say.answer('All of it.')]]], {
      settings: { maxRestarts: 2, evaluator: 'judge', hasJudge: true },
      system: { judge },
    });
    const state = await harness.play();
    expect(state).toMatchObject({
      attempt: 2,
      outcome: 'completed',
      finalAnswer: { text: 'All of it.' },
      pastAttempts: [
        {
          finalText: 'Half.',
          evaluation: { reason: 'Half is missing.', instructions: 'Do it all.' },
        },
      ],
    });
    expect(judge.questions[0]?.message).toContain('Half.');
    expect(membersAskedFor(judge)).toEqual(['decision', 'reason', 'instructions']);
    expect(harness.backends[0]?.requests[1]?.messages[0]).toMatchObject({ role: 'user' });
    expect(JSON.stringify(harness.backends[0]?.requests[1]?.messages)).toContain('Do it all.');
  });
});

it('a question goes to the model with the form of its answer', async () => {
  const backend = new ScriptedBackend(['{}']);
  const model = backendSystemModel({
    ...{ backend, model: 'oracle-9', clock: new FakeClock(), logger: silent },
    ...{ payloads: new MemoryPayloads(), redact: (text: string) => text, costOf: () => 0.5 },
  });
  const outputSchema = { name: 'x', schema: { type: 'object' } };
  const question = { attempt: 1, call: 1, task: 't', system: 's', message: 'm' };
  await model.ask({ ...question, outputSchema }, new AbortController().signal);
  expect(backend.requests).toMatchObject([{ outputSchema, tools: [] }]);
});

describe('the question about tools', () => {
  const mail: Tool = { ...look, name: 'mail', description: 'Sends mail.', effect: 'unknown' };

  function planning(planner: ScriptedSystemModel): RunHarness {
    return new RunHarness([[[say.answer('Done.')]]], {
      settings: { planning: 'classify' },
      tools: [look, mail],
      system: { planner, toolDescriptions: new Map([[mail.name, mail.description]]) },
    });
  }

  it('comes before the first turn and decides which of them must wait', async () => {
    const planner = new ScriptedSystemModel('```json\n{"block": ["mail", "look"]}\n```');
    const harness = planning(planner);
    const state = await harness.play();
    expect(planner.questions[0]?.message).toContain('mail: Sends mail.');
    expect(planner.questions[0]?.message).not.toContain('look:');
    expect(membersAskedFor(planner)).toEqual(['block']);
    expect(state.planning).toMatchObject({ blockedTools: ['mail'], by: 'classification' });
    const types = harness.types;
    expect(types.indexOf('planning-decided')).toBeLessThan(types.indexOf('agent-turn-started'));
  });

  it.each([['Yes, some of them.'], ['{"block": "mail"}'], ['{"block": [']])(
    'M1: closes them when the answer is %s',
    async (reply) => {
      const state = await planning(new ScriptedSystemModel(reply)).play();
      expect(state.planning).toMatchObject({ blockedTools: ['mail'], by: 'failure' });
      expect(state.outcome).toBe('completed');
    },
  );

  it('is answered with caution when nobody can be asked', async () => {
    const harness = new RunHarness([[[say.answer('Done.')]]], {
      settings: { planning: 'classify' },
      tools: [mail],
    });
    expect((await harness.play()).planning?.by).toBe('failure');
  });
});
