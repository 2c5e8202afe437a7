import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillReferences, namesKey, referencesIn } from '../../../src/base/variables';

const values: Readonly<Record<string, string>> = { HOST: 'example.com', EMPTY: '' };

function fill(text: string): string {
  return fillReferences(text, ({ name, instead }) => (values[name] ?? '') || instead);
}

describe('references to variables', () => {
  it.each([
    ['http://${HOST}/v1', 'http://example.com/v1'],
    ['${HOST}${HOST}', 'example.comexample.com'],
    ['${env:HOST}', 'example.com'],
    ['${NONE:-localhost:8000}', 'localhost:8000'],
    ['${EMPTY:-instead}', 'instead'],
    ['${NONE:-}', ''],
    ['$${HOST}', '${HOST}'],
    ['a$${HOST}-${HOST}', 'a${HOST}-example.com'],
    ['$$${HOST}', '$${HOST}'],
    ['$HOST and ${} and ${1X} and ${a b}', '$HOST and ${} and ${1X} and ${a b}'],
    ['${NONE}', '${NONE}'],
  ])('fill %s as %s', (text, filled) => {
    expect(fill(text)).toBe(filled);
  });

  it('are listed with what counts instead, without those that are escaped', () => {
    expect(referencesIn('${A} ${B:-x y} $${C} ${env:D}')).toEqual([
      { name: 'A', instead: undefined },
      { name: 'B', instead: 'x y' },
      { name: 'D', instead: undefined },
    ]);
  });

  it('leave a text without any of them as it is, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('${'));
        expect(fill(text)).toBe(text);
        expect(referencesIn(text)).toEqual([]);
      }),
      { seed: 20_261_130 },
    );
  });

  it('fill nothing twice: what a value holds is text', () => {
    expect(fillReferences('${A}', () => '${HOST}')).toBe('${HOST}');
  });
});

describe('the name of a variable', () => {
  it.each([
    'OPENAI_API_KEY',
    'api_key',
    'NOTION_TOKEN_TWO',
    'ACCESS_TOKEN_SECRET',
    'DB_PASSWORD',
    'GITHUB_PAT',
    'AWS_SECRET_ACCESS_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ])('%s says that it holds a key', (name) => {
    expect(namesKey(name)).toBe(true);
  });

  it.each([
    'OPENAI_BASE_URL',
    'MY_AUTH_URL',
    'HTTPS_PROXY',
    'HOME',
    'MODEL',
    'MONKEY',
    'KEYBOARD',
    'PWD',
    'API_KEY_HELPER_PATH',
  ])('%s does not', (name) => {
    expect(namesKey(name)).toBe(false);
  });
});
