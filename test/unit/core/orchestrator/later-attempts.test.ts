import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/core/ports/model-backend';
import type { Tool } from '../../../../src/core/ports/tool';
import { look, put, toolOf } from '../../../support/plain-tools';
import { RunHarness } from '../../../support/run-harness';
import { type ScriptedResponse, say } from '../../../support/scripted-backend';

const firstText = (request: ModelRequest | undefined): string => {
  const message = request?.messages[0];
  return message?.role === 'user' ? message.text : '';
};

const rules = { maxRestarts: 1, evaluator: 'winner', selfVote: 'allow', stop: 'full' } as const;

const mail = { call: 'send_mail', input: { to: 'team', text: 'Released.' } };
const write = (text: string) => ({ call: 'put', input: { path: 'a.txt', text } });
const restart = {
  call: 'restart_orchestration',
  input: { reason: 'The tests are missing.', instructions: 'Write tests first.' },
};

function sender(sent: unknown[]): Tool {
  return toolOf('send_mail', 'network', async (input) => {
    sent.push(input);
    return { text: 'Sent as number 7.', isError: false };
  });
}

/** Two agents, of which the first one wins, presents and finds its own first attempt wanting. */
async function play(settings: { restartWorkspace?: 'seed' | 'clear' } = {}) {
  const sent: unknown[] = [];
  const seen: string[] = [];
  const draft =
    (text: string): ScriptedResponse =>
    (request) => {
      seen.push(JSON.stringify(request.messages.at(-1)));
      return [say.answer(text)];
    };
  const harness = new RunHarness(
    [
      [
        [write('first try')],
        [say.answer('First try.')],
        [say.vote('agent1')],
        [mail],
        ['Presented in attempt one.'],
        [restart],
        [{ call: 'look', input: { path: 'a.txt' } }],
        draft('Second try.'),
        [say.vote('agent1')],
        [mail],
        ['Presented in attempt two.'],
      ],
      [
        [say.answer('Other.')],
        [say.vote('agent1')],
        [say.answer('Other again.')],
        [say.vote('agent1')],
      ],
    ],
    {
      tools: [look, put, sender(sent)],
      settings: { ...rules, ...settings },
    },
  );
  const state = await harness.play();
  return { harness, state, sent, seen };
}

describe('a run whose first attempt was found wanting', () => {
  it('P4: tells the second attempt why, what to do and what was presented', async () => {
    const { harness, state } = await play();
    expect(state.outcome).toBe('completed');
    expect(state.attempt).toBe(2);
    expect(state.finalAnswer?.text).toBe('Presented in attempt two.');
    const texts = harness.backends.flatMap(({ requests }) =>
      requests.filter(({ step }) => step.attempt === 2).map(firstText),
    );
    expect(texts.length).toBeGreaterThanOrEqual(6);
    for (const text of texts) {
      expect(text).toContain('This is attempt 2 of 2.');
      expect(text).toContain('The tests are missing.');
      expect(text).toContain('Write tests first.');
      expect(text).toContain('Presented in attempt one.');
      expect(text).toContain('- send_mail {"text":"Released.","to":"team"}');
      expect(text).toMatch(/\/peers\/[0-9a-f]{8}\/previous_attempt$/m);
    }
  });

  it('P8: makes a call that cannot be taken back once, and answers it from the record', async () => {
    const { harness, sent } = await play();
    expect(sent).toEqual([{ to: 'team', text: 'Released.' }]);
    expect(harness.types.filter((type) => type.startsWith('effect'))).toEqual([
      'effect-recorded',
      'effect-replayed',
    ]);
    const last = harness.backends[0]?.requests.at(-1)?.messages.at(-1);
    expect(JSON.stringify(last)).toContain('Already performed, not done again.');
    expect(JSON.stringify(last)).toContain('Sent as number 7.');
  });

  it('begins with the files that were found wanting, or with none of them', async () => {
    expect((await play()).seen.join()).toContain('first try');
    const cleared = await play({ restartWorkspace: 'clear' });
    expect(cleared.seen.join()).not.toContain('first try');
    expect(cleared.seen.join()).toContain('one\\n');
  });

  it('L1: names nobody to anybody, in no attempt and no role', async () => {
    const { harness } = await play();
    expect(harness.leaks()).toEqual([]);
  });

  it('says the same at the beginning of every turn of an attempt', async () => {
    const { harness } = await play();
    for (const attempt of [1, 2]) {
      const requests = harness.backends[0]?.requests.filter(({ step }) => step.attempt === attempt);
      expect(new Set(requests?.map(({ system }) => system)).size).toBe(1);
      const starts = requests?.map((request) => firstText(request).split('<<<end of task>>>')[0]);
      expect(new Set(starts).size).toBe(1);
    }
  });
});
