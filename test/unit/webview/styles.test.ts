import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../../webview/styles');
const sheets = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8').replace(/\/\*[^]*?\*\//g, ''),
}));
const components = sheets.filter(({ name }) => name !== 'tokens.css');
const tokens = sheets.find(({ name }) => name === 'tokens.css')?.text ?? '';

describe.each(components)('$name', ({ text }) => {
  test('takes colors from tokens only', () => {
    expect(text.match(/#[0-9a-f]{3,8}\b|var\(--vscode-|hsl\(|oklch\(/gi)).toBeNull();
  });

  test('uses no token that does not exist', () => {
    const known = new Set(tokens.match(/--[\w-]+(?=:)/g));
    // These are set by the elements themselves or by the sheet.
    const local = ['--agents', '--lane', '--rail-no', '--rails', '--columns'];
    const used = [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name);
    expect(used.filter((name) => !known.has(name) && !local.includes(name))).toEqual([]);
  });

  test('mirrors with the direction of the language', () => {
    expect(
      text.match(/\b(?:margin|padding|border)-(?:left|right)|[{;\s](?:left|right):/g),
    ).toBeNull();
  });
});
