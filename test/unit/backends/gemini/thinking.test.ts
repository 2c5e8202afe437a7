import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../../src/backends/gemini/model-line';
import { thinkingConfigOf, thinkingNoticeOf } from '../../../../src/backends/gemini/thinking';
import type { OptionValue } from '../../../../src/core/ports/backend-kind';

function configOf(model: string, options: Readonly<Record<string, OptionValue>>): unknown {
  const settings = { type: 'gemini', model, apiKeyName: undefined, options };
  return thinkingConfigOf(settings, lineOf(model));
}

const shown = { includeThoughts: true };

describe('how much a model thinks', () => {
  it.each([
    ['gemini-2.5-flash', { reasoning_effort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-2.5-flash', { reasoning_effort: 'high' }, { ...shown, thinkingBudget: 24_576 }],
    ['gemini-2.5-flash', { thinking_level: 'low' }, { ...shown, thinkingBudget: 1024 }],
    ['gemini-2.5-flash', { thinking_budget: -1 }, { ...shown, thinkingBudget: -1 }],
    ['gemini-2.5-pro', { thinking_budget: 0 }, { ...shown, thinkingBudget: 128 }],
    ['gemini-3.8-flash', { reasoning_effort: 'none' }, { ...shown, thinkingLevel: 'MINIMAL' }],
    ['gemini-3.8-flash', { thinking_budget: 2000 }, { ...shown, thinkingLevel: 'MEDIUM' }],
    ['gemini-3.8-flash', { thinking_budget: -1 }, shown],
    ['gemini-3.1-pro-preview', { thinking_level: 'minimal' }, { ...shown, thinkingLevel: 'LOW' }],
    ['gemini-4-argon', { thinking_level: 'minimal' }, { ...shown, thinkingLevel: 'LOW' }],
    ['gemini-4-argon', { reasoning_effort: 'xhigh' }, { ...shown, thinkingLevel: 'HIGH' }],
    ['gemini-4-argon', { thinking_budget: 30_000 }, { ...shown, thinkingLevel: 'HIGH' }],
    ['gemini-2.0-flash', { reasoning_effort: 'high' }, undefined],
    ['gemma-3-27b-it', { thinking_level: 'high' }, undefined],
    ['house-model', { thinking_budget: 77 }, { thinkingBudget: 77 }],
    ['house-model', {}, undefined],
  ] as const)('is set for %s by %j as %j', (model, options, config) => {
    expect(configOf(model, options)).toEqual(config);
  });

  it.each([
    [{ level: 'high' }, { ...shown, thinkingLevel: 'HIGH' }],
    [{ budget: 500 }, { ...shown, thinkingLevel: 'MINIMAL' }],
    [
      { type: 'enabled', budget_tokens: 9000 },
      { ...shown, thinkingLevel: 'HIGH' },
    ],
    [{ type: 'disabled' }, { ...shown, thinkingLevel: 'MINIMAL' }],
    [{ thinkingLevel: 'LOW', includeThoughts: false }, { thinkingLevel: 'LOW' }],
    [{ include_thoughts: false }, undefined],
  ])('can be a mapping: %j', (thinking, config) => {
    expect(configOf('gemini-3.8-flash', { thinking })).toEqual(config);
  });

  it('goes by the more special key', () => {
    const options = {
      thinking_level: 'low',
      thinking: { level: 'high' },
      reasoning_effort: 'high',
    };
    expect(configOf('gemini-3.8-flash', options)).toMatchObject({ thinkingLevel: 'LOW' });
  });
});

describe('a setting that the model takes in another way', () => {
  it.each([
    ['gemini-2.0-flash', { reasoning_effort: 'high' }, 'setting-left-out'],
    ['gemini-4-argon', { thinking_level: 'minimal' }, 'setting-changed'],
    ['gemini-4-argon', { thinking_budget: 3000 }, 'setting-changed'],
    ['gemini-2.5-pro', { thinking_budget: 0 }, 'setting-changed'],
    ['gemini-2.5-flash', { thinking_budget: 0 }, undefined],
    ['gemini-2.5-flash', { reasoning_effort: 'low' }, undefined],
    ['gemini-3.8-flash', { thinking_level: 'minimal' }, undefined],
    ['gemini-3.8-flash', { thinking_budget: -1 }, undefined],
    ['gemini-2.0-flash', {}, undefined],
  ])('is told for %s and %j: %s', (model, options, code) => {
    const settings = { type: 'gemini', model, apiKeyName: undefined, options };
    expect(thinkingNoticeOf(settings, lineOf(model))?.code).toBe(code);
  });
});
