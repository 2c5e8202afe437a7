import { describe, expect, it } from 'vitest';
import { costOfUsage } from '../../../src/app/call-cost';
import { forecast } from '../../../src/app/forecast';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const free = { inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 };
const price = { inputUsd: 2, cachedInputUsd: 0.5, outputUsd: 10 };
const kinds = (known?: typeof price) => [
  new ScriptedKind({}, known === undefined ? {} : { price: known }).kind,
];

describe('the forecast of a run', () => {
  it('expects at least a draft and a vote per agent and the final text', () => {
    expect(forecast(teamOf(['a', 'b', 'c']), kinds(price)).calls[0]).toBe(7);
  });

  it('expects one call at least of an agent alone, and no vote', () => {
    expect(forecast(teamOf(['a']), kinds(price)).calls[0]).toBe(1);
  });

  it('stays below the caps', () => {
    const team = teamOf(['a', 'b', 'c']);
    const capped = { ...team, caps: { durationMs: null, modelCalls: 20, costUsd: 0.1 } };
    const { calls, costUsd } = forecast(capped, kinds(price));
    expect(calls).toEqual([7, 20]);
    expect(costUsd?.[1]).toBe(0.1);
  });

  it('knows no cost as soon as one price is not known', () => {
    const { costUsd, oneAgentCostUsd } = forecast(teamOf(['a', 'b']), kinds());
    expect([costUsd, oneAgentCostUsd]).toEqual([null, null]);
  });

  it('says that what is free costs nothing', () => {
    expect(forecast(teamOf(['a', 'b']), kinds(free)).costUsd).toEqual([0, 0]);
  });

  it('says that fees of a service are not in it', () => {
    const searching = teamOf(['a', 'b'], { hostedTools: ['web-search'] });
    expect(forecast(searching, kinds(price)).hasFees).toBe(true);
    expect(forecast(teamOf(['a', 'b']), kinds(price)).hasFees).toBe(false);
  });

  it('gives ranges from less to more', () => {
    const { calls, tokens, costUsd } = forecast(teamOf(['a', 'b', 'c']), kinds(price));
    expect([calls, tokens, costUsd ?? [1, 0]].every(([low, high]) => low < high)).toBe(true);
  });
});

describe('the cost of a call', () => {
  it('counts cached tokens at their own price', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
    expect(costOfUsage(price, usage)).toBeCloseTo(1.2 + 0.2 + 1, 12);
  });

  it.each([
    ['the price', undefined, { inputTokens: 1, outputTokens: 1 }],
    ['the input', price, { outputTokens: 1 }],
    ['the output', price, { inputTokens: 1 }],
  ])('is unknown without %s', (_name, known, usage) => {
    expect(costOfUsage(known, usage)).toBeNull();
  });

  it('is zero for a free model, with or without tokens', () => {
    expect(costOfUsage(free, {})).toBe(0);
  });
});
