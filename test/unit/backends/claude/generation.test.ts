import { afterEach, describe, expect, it } from 'vitest';
import { familyOfClaude } from '../../../../src/backends/claude/families';
import { generationFor, withinTokens } from '../../../../src/backends/claude/generation';
import type { OptionValue } from '../../../../src/core/ports/backend-kind';
import { endOf } from '../../../contract/backend-kit';
import {
  ask,
  askInTurn,
  bodiesOf,
  closeAll,
  early,
  noticesOf,
  openClaude,
  serve,
  serveAlways,
  settingsOf,
  unchanged,
} from './claude-fixture';

type Options = Readonly<Record<string, OptionValue>>;

const models = [
  ...['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-4-8'],
  ...['claude-opus-5', 'claude-sonnet-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  ...['claude-opus-5-5', 'claude-fable-5', 'claude-fable-5-1'],
];
const wishes: readonly Options[] = [
  {},
  { thinking: { type: 'enabled', budget_tokens: 8000 } },
  { thinking: { type: 'enabled' }, max_tokens: 4096 },
  { thinking: { type: 'enabled', budget_tokens: 100 }, max_tokens: 1500 },
  { thinking: { type: 'adaptive' }, effort: 'low' },
  { thinking: { type: 'adaptive', display: 'omitted' } },
  { thinking: { type: 'disabled' }, temperature: 0.3 },
  { effort: 'max', temperature: 0.3, top_p: 0.9, top_k: 40 },
  { temperature: 1, top_p: 0.95, max_tokens: 1 },
  { stop_sequences: ['STOP', '  '] },
];

function made(model: string, options: Options): ReturnType<typeof generationFor> {
  return generationFor(settingsOf('http://x', { model, options }), familyOfClaude(model));
}

describe('settings of a team file', () => {
  afterEach(closeAll);

  it.each(models)('are all taken by %s, over several calls', async (model) => {
    const service = await serveAlways(
      [
        { kind: 'thinking', text: 'I look first.' },
        { kind: 'tool-call', name: 'read_file', arguments: { path: 'a' } },
      ],
      model,
    );
    for (const options of wishes) {
      const backend = await openClaude(service, { model, options });
      const answers = await askInTurn(backend, [unchanged, unchanged, unchanged]);
      const ends = answers.map((parts) => endOf(parts));
      expect(ends, JSON.stringify([options, ends])).toEqual(
        answers.map(() => ({ type: 'end', reason: 'tool-calls' })),
      );
    }
    expect(service.journal.map(({ outcome }) => outcome)).not.toContain('refused');
  });

  it('asks a silent model for a summary of what it thinks, and no other', () => {
    expect(made('claude-opus-5-5', {}).thinking).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
    expect(made('claude-sonnet-5', {}).thinking).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
    expect(made('claude-opus-4-8', {}).thinking).toBeUndefined();
    expect(made('claude-opus-4-6', { effort: 'low' }).thinking).toEqual({ type: 'adaptive' });
    expect(made(early, {}).thinking).toBeUndefined();
  });

  it('turns an effort into a budget for models that know no efforts, and a budget into an effort', () => {
    const budget = made(early, { effort: 'medium' });
    expect(budget.thinking).toEqual({ type: 'enabled', budget_tokens: 8192 });
    expect(budget.effort).toBeUndefined();
    const effort = made('claude-opus-4-8', {
      thinking: { type: 'enabled', budget_tokens: 10_000 },
    });
    expect(effort.thinking).toMatchObject({ type: 'adaptive' });
    expect(effort.effort).toBe('high');
  });

  it('cannot switch a model off that always thinks, and says so', () => {
    const off = { thinking: { type: 'disabled' } };
    expect(made('claude-fable-5', off)).toMatchObject({
      thinking: { type: 'adaptive' },
      leftOut: ['thinking: disabled'],
    });
    expect(made('claude-sonnet-5', off)).toMatchObject({
      thinking: { type: 'disabled' },
      leftOut: [],
    });
    expect(made('claude-opus-4-8', off).thinking).toBeUndefined();
  });

  it('leaves sampling out where it is refused, and one of two where both are', () => {
    const both = { temperature: 0.2, top_p: 0.9 };
    expect(made('claude-opus-5', both)).toMatchObject({
      sampling: {},
      leftOut: ['temperature', 'top_p'],
    });
    expect(made(early, both)).toMatchObject({ sampling: { temperature: 0.2 }, leftOut: ['top_p'] });
    expect(made(early, { ...both, effort: 'low' }).sampling).toEqual({});
    expect(made(early, { temperature: 1, effort: 'low' }).sampling).toEqual({ temperature: 1 });
  });

  it('hands everything on unchanged to a model of somebody else', () => {
    const thinking = { type: 'enabled', budget_tokens: 500 };
    expect(made('deepseek-v4-pro', { thinking, temperature: 0.2, top_p: 0.9 })).toMatchObject({
      thinking,
      sampling: { temperature: 0.2, top_p: 0.9 },
      leftOut: [],
    });
  });

  it('leaves room for an answer beside the budget, or does not think at all', () => {
    const thinking = { type: 'enabled', budget_tokens: 8192 };
    expect(withinTokens(thinking, 64_000)).toEqual(thinking);
    expect(withinTokens(thinking, 4096)).toEqual({ type: 'enabled', budget_tokens: 2048 });
    expect(withinTokens(thinking, 2000)).toBeUndefined();
  });

  it('is told once what was left out, however many calls follow', async () => {
    const service = await serveAlways([{ kind: 'text', text: 'Done.' }]);
    const backend = await openClaude(service, { options: { temperature: 0.2, top_k: 5 } });
    const notices = [noticesOf(await ask(backend)), noticesOf(await ask(backend))];
    expect(notices).toEqual([
      ['claude-opus-5-5 does not take temperature, top_k with these settings; left out.'],
      [],
    ]);
  });

  it('is told once when the service itself refuses a setting, which then stays out', async () => {
    const message = '`temperature` is deprecated for this model.';
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    const ok = { steps: [{ kind: 'text', text: 'Done.' }], isRepeated: true } as const;
    const service = await serve([{ status: 400, body, when: '"temperature"' }, ok], {
      model: early,
    });
    const backend = await openClaude(service, { model: early, options: { temperature: 0.2 } });
    const parts = await ask(backend);
    expect(noticesOf(parts)).toEqual([
      `${new URL(service.baseUrl).host} does not take temperature for ${early}; it is left out.`,
    ]);
    expect(endOf(parts).reason).toBe('stop');
    expect(noticesOf(await ask(backend))).toEqual([]);
    expect(bodiesOf(service).map((sent) => 'temperature' in sent)).toEqual([true, false, false]);
  });

  it('asks for no thinking any more when a gateway knows none', async () => {
    const message = 'adaptive thinking is not supported on this model';
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    const ok = { steps: [{ kind: 'text', text: 'Done.' }], isRepeated: true } as const;
    const service = await serve([{ status: 400, body, when: '"thinking":{' }, ok]);
    expect(endOf(await ask(await openClaude(service))).reason).toBe('stop');
    expect(bodiesOf(service).map((sent) => 'thinking' in sent)).toEqual([true, false]);
  });

  it.each([
    ['claude-opus-5-5', {}, undefined, 64_000],
    ['claude-haiku-4-5', { max_tokens: 900_000 }, undefined, 64_000],
    ['claude-haiku-4-5', {}, undefined, 40_000],
    ['claude-opus-5-5', { max_tokens: 2000 }, 500, 500],
    ['claude-opus-5-5', {}, 900, 900],
  ] as const)(
    'asks %s with %j and a limit of %s for %i tokens',
    async (model, options, limit, tokens) => {
      const service = await serveAlways([{ kind: 'text', text: 'Done.' }], model);
      await ask(await openClaude(service, { model, options }), { maxOutputTokens: limit });
      expect(bodiesOf(service)[0]).toMatchObject({ max_tokens: tokens });
    },
  );
});

describe('the line of a model', () => {
  it.each([
    ['anthropic/claude-opus-4.5', 'budget', 'no'],
    ['anthropic.claude-opus-4-5-20251101-v1:0', 'budget', 'no'],
    ['claude-sonnet-4-5@20250929', 'budget', 'no'],
    ['claude-sonnet-4-20250514', 'budget', 'no'],
    ['claude-3-7-sonnet-latest', 'budget', 'no'],
    ['claude-opus-4-7', 'adaptive', 'no'],
    ['Claude-Sonnet-5-20260701', 'adaptive', 'yes'],
    ['claude-mythos-5-2', 'adaptive', 'always'],
    ['claude-sonnet-6', 'adaptive', 'yes'],
    ['kimi-k2.6', 'unknown', 'no'],
  ])('is told from the name %s', (name, thinking, thinksByDefault) => {
    expect(familyOfClaude(name)).toMatchObject({ thinking, thinksByDefault });
  });
});
