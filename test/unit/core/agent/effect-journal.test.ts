import { describe, expect, it } from 'vitest';
import { EffectJournal } from '../../../../src/core/agent/effect-journal';
import { MassGenError } from '../../../../src/core/errors';
import type { ObservedEvent } from '../../../../src/run/events';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import type { EffectRecord } from '../../../../src/run/facts';
import type { RunState } from '../../../../src/run/state';
import { MemoryPayloads } from '../../../support/memory-payloads';
import { startedState } from '../../../support/turn-input';

const never = new AbortController().signal;

class Stage {
  readonly events: ObservedEvent[] = [];
  readonly asked: string[] = [];
  readonly sent: unknown[] = [];
  readonly payloads: MemoryPayloads;
  readonly #journal: EffectJournal;

  constructor(
    state: RunState,
    { payloads = new MemoryPayloads(), isAllowed = true, redact = (text: string) => text } = {},
  ) {
    this.payloads = payloads;
    this.#journal = new EffectJournal({
      slot: 1,
      turnNo: 3,
      state: () => state,
      payloads,
      redact,
      observe: (event) => this.events.push(event),
      ask: async (call) => {
        this.asked.push(call);
        return isAllowed;
      },
    });
  }

  async send(input: unknown, fails = false): Promise<string> {
    const make = async () => {
      this.sent.push(input);
      return { text: fails ? 'No connection.' : 'Sent as 7.', isError: fails };
    };
    const { text, isError } = await this.#journal.run({ tool: 'send', input }, make, never);
    return `${isError ? 'error: ' : ''}${text}`;
  }

  async breakOff(input: unknown): Promise<unknown> {
    const reason = new MassGenError('cancelled/timeout', 'Too late.');
    const make = async () => Promise.reject(reason);
    return this.#journal.run({ tool: 'send', input }, make, never).catch((error: unknown) => error);
  }

  get records(): readonly EffectRecord[] {
    return this.events.flatMap((event) => (event.type === 'effect-recorded' ? [event.effect] : []));
  }
}

const run = (settings: Partial<CoordinationSettings> = {}): RunState =>
  startedState(2, { settings });

/** The attempt after one that made these calls. */
function after(stage: Stage, settings: Partial<CoordinationSettings> = {}): RunState {
  return { ...run(settings), attempt: 2, effects: stage.records };
}

describe('calls that cannot be taken back', () => {
  it('are recorded with their arguments, result and attempt', async () => {
    const stage = new Stage(run());
    expect(await stage.send({ to: 'a', b: 1 })).toBe('Sent as 7.');
    expect(stage.records).toMatchObject([
      {
        tool: 'send',
        argumentsJson: '{"b":1,"to":"a"}',
        attempt: 1,
        isError: false,
        isRepeat: false,
      },
    ]);
    expect(stage.records[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    const result = stage.records[0]?.result;
    expect(result === undefined ? '' : stage.payloads.get(result)).toBe('Sent as 7.');
  });

  it('P8: are answered from the record in a later attempt, whatever the order of arguments', async () => {
    const first = new Stage(run());
    await first.send({ to: 'a', b: 1 });
    const second = new Stage(after(first), { payloads: first.payloads });
    expect(await second.send({ b: 1, to: 'a' })).toBe(
      'Already performed, not done again. Its result was:\nSent as 7.',
    );
    expect(second.sent).toEqual([]);
    expect(second.events).toEqual([
      { type: 'effect-replayed', slot: 1, turnNo: 3, hash: first.records[0]?.hash },
    ]);
  });

  it('are made once within one turn, before the log has taken them in', async () => {
    const stage = new Stage(run());
    await stage.send({ to: 'a' });
    expect(await stage.send({ to: 'a' })).toContain('Already performed');
    expect(await stage.send({ to: 'b' })).toBe('Sent as 7.');
    expect(stage.sent).toEqual([{ to: 'a' }, { to: 'b' }]);
  });

  it('may be made again when they failed', async () => {
    const stage = new Stage(run());
    expect(await stage.send({ to: 'a' }, true)).toBe('error: No connection.');
    expect(await stage.send({ to: 'a' })).toBe('Sent as 7.');
    expect(stage.records.map(({ isError }) => isError)).toEqual([true, false]);
  });

  it('count as made when they were cut off', async () => {
    const stage = new Stage(run());
    expect(await stage.breakOff({ to: 'a' })).toMatchObject({ code: 'cancelled/timeout' });
    expect(await stage.send({ to: 'a' })).toContain('whether it had its effect is not known');
    expect(stage.sent).toEqual([]);
  });

  it.each([
    ['mark', 'Sent as 7.', true],
    ['deny', 'error: This was not done', false],
    ['ask', 'Sent as 7.', true],
  ] as const)(
    'of a tool that an earlier attempt used otherwise follow the setting %s',
    async (repeatedEffects, words, isMade) => {
      const first = new Stage(run());
      await first.send({ to: 'a' });
      const second = new Stage(after(first, { repeatedEffects }));
      expect(await second.send({ to: 'b' })).toContain(words);
      expect(second.sent).toHaveLength(isMade ? 1 : 0);
      expect(second.asked).toEqual(repeatedEffects === 'ask' ? ['send {"to":"b"}'] : []);
      expect(second.records.map(({ isRepeat }) => isRepeat)).toEqual(isMade ? [true] : []);
    },
  );

  it('are not made when a person says no', async () => {
    const first = new Stage(run());
    await first.send({ to: 'a' });
    const second = new Stage(after(first, { repeatedEffects: 'ask' }), { isAllowed: false });
    expect(await second.send({ to: 'b' })).toContain('the user did not allow another call');
    expect(second.sent).toEqual([]);
  });

  it('leave no secret in the record', async () => {
    const stage = new Stage(run(), { redact: (text) => text.replaceAll('7', '*') });
    await stage.send({ key: '7' });
    expect(stage.records[0]?.argumentsJson).toBe('{"key":"*"}');
    expect([...stage.payloads.texts.values()]).toEqual(['Sent as *.']);
  });
});
