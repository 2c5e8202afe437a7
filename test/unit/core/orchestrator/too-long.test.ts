import { describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../src/core/errors';
import type { Media, ModelRequest } from '../../../../src/core/ports/model-backend';
import { toolOf } from '../../../support/plain-tools';
import { RunHarness } from '../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../support/scripted-backend';

const overflow: ScriptedResponse = [
  { fail: new MassGenError('backend/context-overflow', 'Too many tokens.') },
];
const read: ScriptedResponse = [{ call: 'read', input: {} }];

/** Plays an agent whose tool gives these texts, one after the other. */
async function play(texts: readonly string[], script: readonly ScriptedResponse[]) {
  const left = [...texts];
  const reader = toolOf('read', 'read', async () => ({
    text: left.shift() ?? '',
    isError: false,
  }));
  const harness = new RunHarness([script], { tools: [reader], settings: { maxFailedTurns: 1 } });
  return { state: await harness.play(), requests: harness.backends[0]?.requests ?? [], harness };
}

function results({ messages }: Pick<ModelRequest, 'messages'>): readonly string[] {
  return messages.flatMap((each) =>
    each.role === 'tool' ? each.results.map(({ text }) => text) : [],
  );
}

describe('a conversation that has become too long for its model', () => {
  const long = (sign: string): string => sign.repeat(20_000);

  it('goes on without what tools have answered before, and with less of the newest', async () => {
    const { state, requests, harness } = await play(
      ['short', long('a'), long('b')],
      [read, read, read, overflow, [say.answer('Done.')]],
    );
    expect(state.finalAnswer?.text).toBe('Done.');
    const [before, after] = [requests[3], requests[4]].map((each) =>
      results(each ?? { messages: [] }),
    );
    expect(before?.map(({ length }) => length)).toEqual([5, 20_000, 20_000]);
    expect(after?.[0]).toBe('short');
    expect(after?.[1]).toContain('20000 characters left out');
    expect(after?.[1]).not.toContain('aaa');
    expect(after?.[2]).toContain('bbb');
    expect(after?.[2]?.length).toBeLessThan(9_000);
    expect(requests[4]?.messages.map(({ role }) => role)).toEqual(
      requests[3]?.messages.map(({ role }) => role),
    );
    expect(harness.types.filter((type) => type === 'backend-retried')).toHaveLength(1);
  });

  it('goes on without pictures, those of the newest round last', async () => {
    const media: readonly Media[] = [
      { kind: 'image', mediaType: 'image/png', name: 'plan.png', base64: 'AAAA' },
    ];
    const look = toolOf('read', 'read', async () => ({ text: 'Shown.', isError: false, media }));
    const harness = new RunHarness([[read, read, overflow, overflow, [say.answer('Done.')]]], {
      ...{ tools: [look], settings: { maxFailedTurns: 1 } },
    });
    expect((await harness.play()).finalAnswer?.text).toBe('Done.');
    const shown = (harness.backends[0]?.requests ?? []).map(({ messages }) =>
      messages.flatMap((each) =>
        each.role === 'tool'
          ? each.results.map((result) => [result.text, result.media?.length])
          : [],
      ),
    );
    const lost = 'Shown.\n[Left out, because this turn has become too long: plan.png]';
    expect(shown.slice(2)).toEqual([
      [
        ['Shown.', 1],
        ['Shown.', 1],
      ],
      [
        [lost, undefined],
        ['Shown.', 1],
      ],
      [
        [lost, undefined],
        [lost, undefined],
      ],
    ]);
  });

  it('ends the turn when there is nothing to leave out', async () => {
    const { state, requests } = await play(['short'], [read, overflow]);
    expect(requests).toHaveLength(2);
    expect(state.agents[0]).toMatchObject({
      status: 'failed',
      lastError: { code: 'backend/context-overflow' },
    });
  });

  it('ends the turn when leaving out was not enough', async () => {
    const { state, requests } = await play([long('a')], [read, overflow, overflow]);
    expect(requests).toHaveLength(3);
    expect(state.agents[0]?.lastError?.code).toBe('backend/context-overflow');
  });
});
