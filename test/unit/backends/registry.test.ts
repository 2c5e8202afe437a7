import { expect, test } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { createTeamLanguage } from '../../../src/config/language/team-language';

test('the types that a team file may name are offered with the makers of models first', () => {
  const language = createTeamLanguage(builtInBackends({ recordingsDir: '/nowhere' }));
  const text = 'agents:\n  - id: a\n    backend:\n      type: ';
  const offered = language.complete(text, text.length).map(({ label }) => label);
  expect(offered.slice(0, 7)).toEqual([
    ...['openai', 'claude', 'gemini', 'grok', 'deepseek', 'mistral'],
    'chatcompletion',
  ]);
  expect(new Set(offered).size).toBe(offered.length);
});
