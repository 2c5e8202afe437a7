import { describe, expect, it } from 'vitest';
import { createModelNotice } from '../../../src/app/model-notices';
import { builtInBackends } from '../../../src/backends/registry';
import { loadConfig } from '../../../src/config/load-config';
import type { BackendSettings } from '../../../src/core/ports/backend-kind';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });
const notice = createModelNotice(kinds, { now: () => Date.UTC(2026, 10, 30) });
const block = (
  type: string,
  model: string,
  options: BackendSettings['options'] = {},
): BackendSettings => ({ type, model, apiKeyName: undefined, options });

describe('what is said about the model of a block', () => {
  it('is that it ends soon, and what to use then', () => {
    expect(notice(block('claude', 'claude-opus-4-5'))).toContain('claude-opus-5-5');
    expect(notice(block('claude', 'claude-sonnet-4-5-20250929'))).toContain('2026-11-30');
  });

  it('is which name is probably meant', () => {
    expect(notice(block('deepseek', 'deepseek-v4-por'))).toBe(
      'deepseek-v4-por is not among the models known of DeepSeek. Did you mean deepseek-v4-pro?',
    );
  });

  it.each([
    ['a model without an end', block('claude', 'claude-opus-5-5')],
    ['a newer number', block('openai', 'gpt-9.9-sol')],
    ['a name like no other', block('deepseek', 'whale-7')],
    ['the models of another address', block('claude', 'claude-opus-4-5', { base_url: 'http://x' })],
    ['the name of a deployment', block('azure_openai', 'my-gpt', { azure_endpoint: 'http://x' })],
    ['a kind without a list', block('groq', 'gpt-oss-12b')],
    ['a kind that is not known', block('other', 'm')],
  ])('is nothing for %s', (_what, settings) => {
    expect(notice(settings)).toBeUndefined();
  });

  it('stands as a warning at the model in the file, which is used all the same', () => {
    const file =
      'agents:\n  - id: a\n    backend:\n      type: claude\n      model: claude-opus-4-5\n';
    const result = loadConfig(file, '/team.yaml', kinds, { modelNotice: notice });
    expect(result.kind).toBe('ok');
    expect(result.kind === 'ok' ? result.warnings : []).toContainEqual(
      expect.objectContaining({ severity: 'warning', keyPath: 'agents[0].backend.model' }),
    );
  });
});
