import { expect, test } from 'vitest';
import { approvalPlace } from '../../../../src/run/selectors/approval-place';
import { revealHidden, revealOnOneLine } from '../../../../src/run/selectors/visible-text';

test.each([
  ['right-to-left override', 'a\u202eb', 'a⟨U+202E⟩b'],
  ['isolates', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['zero-width space', 'rm\u200b -rf', 'rm⟨U+200B⟩ -rf'],
  ['carriage return', 'echo ok\rrm x', 'echo ok⟨U+000D⟩rm x'],
  ['escape sequence', '\u001b[2K', '⟨U+001B⟩[2K'],
  ['C1 control', '\u009b1m', '⟨U+009B⟩1m'],
  ['byte order mark', '\ufeffls', '⟨U+FEFF⟩ls'],
  ['tag characters beyond 16 bits', 'a\u{e0041}', 'a⟨U+E0041⟩'],
  ['line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
])('%s is shown by its code point', (_name, text, shown) => {
  expect(revealHidden(text)).toBe(shown);
});

test('what is visible anyway stays: tab, line feed, accents, emoji', () => {
  const text = 'a\tb\nÄ — 日本 👍🏽';
  expect(revealHidden(text)).toBe(text);
});

test('on one line, line feeds show as what they are', () => {
  expect(revealOnOneLine('a\nb\tc\u202e')).toBe('a ⏎ b c⟨U+202E⟩');
});

test.each([
  ['/home/me/app', 'app'],
  ['/var/runs/20260101/3a6e/app/packages/cli', 'app/packages/cli'],
  ['C:\\runs\\app\\src', 'app/src'],
  ['/var/runs/1/workspace', '/var/runs/1/workspace'],
  ['/var/app\u202e/x', '/var/app⟨U+202E⟩/x'],
])('a command in %s is said to run in %s', (cwd, place) => {
  const root = { name: 'app', path: '/home/me/app', permission: 'write' } as const;
  expect(approvalPlace(cwd, [root])).toBe(place);
});
