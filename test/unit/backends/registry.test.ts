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

test.each(
  builtInBackends({ recordingsDir: '/nowhere' })
    .filter(({ isProgram }) => isProgram !== true)
    .map((kind) => [kind.type, kind] as const),
)('%s gives no key that a block does not name to an address of somebody else', (type, kind) => {
  for (const base_url of [
    'https://elsewhere.example/v1',
    'https://api.openai.com.elsewhere.example',
  ]) {
    const settings = { type, model: 'm', apiKeyName: undefined, options: { base_url } };
    expect(kind.keyNamesOf(settings), base_url).toEqual([]);
  }
});
