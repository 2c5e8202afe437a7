import { describe, expect, test } from 'vitest';
import {
  asSentence,
  counted,
  formatAdded,
  formatCost,
  formatElapsed,
  formatLimit,
  formatMoney,
  formatRange,
  formatRemoved,
  formatRoughTokens,
  formatTokens,
  formatWait,
  formatWhen,
  joinNames,
} from '../../../../src/run/selectors/formats';

describe('tokens', () => {
  test.each([
    [0, '0'],
    [940, '940'],
    [1000, '1.0k'],
    [38_400, '38.4k'],
    [99_940, '99.9k'],
    [119_400, '119k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [1_240_000, '1.2M'],
  ])('%i reads %s', (tokens, text) => {
    expect(formatTokens(tokens, 'en')).toBe(text);
  });

  test('a range is rounded, and written once when both ends read the same', () => {
    const [low, high] = [formatRoughTokens(60_300, 'en'), formatRoughTokens(140_000, 'en')];
    expect(formatRange(low, high)).toBe('60k – 140k');
    expect(formatRange(low, low)).toBe('60k');
  });

  test('the decimal sign is that of the language', () => {
    expect(formatTokens(38_400, 'de')).toBe('38,4k');
  });
});

describe('money', () => {
  test.each([
    [0, '$0.00'],
    [0.004, '<$0.01'],
    [0.06, '$0.06'],
    [12.345, '$12.35'],
  ])('%d dollars read %s', (usd, text) => {
    expect(formatMoney(usd, 'en')).toBe(text);
  });

  test('an unknown price is never shown as nothing', () => {
    expect(formatCost({ costUsd: 0, unpricedCalls: 2 }, 'en')).toBe('?');
    expect(formatCost({ costUsd: 0.18, unpricedCalls: 2 }, 'en')).toBe('at least $0.18');
    expect(formatCost({ costUsd: 0, unpricedCalls: 0 }, 'en')).toBe('$0.00');
  });
});

describe('time', () => {
  test.each([
    [-5, '0:00'],
    [48_999, '0:48'],
    [760_000, '12:40'],
    [3_909_000, '1:05:09'],
  ])('%i ms read %s', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });

  test('a wait rounds up, a limit is whole', () => {
    expect([formatWait(11_200), formatWait(-1)]).toEqual(['12 s', '0 s']);
    expect([formatLimit(1_800_000), formatLimit(7_200_000), formatLimit(45_000)]).toEqual([
      '30 min',
      '2 h',
      '45 s',
    ]);
  });

  test('a day is named by how far it is away', () => {
    const at = new Date(2026, 2, 3, 14, 2).getTime();
    const later = (day: number, year = 2026): number => new Date(year, 2, day, 18).getTime();
    expect(formatWhen(at, later(3), 'en-GB')).toBe('today 14:02');
    expect(formatWhen(at, later(5), 'en-GB')).toBe('3 March 14:02');
    expect(formatWhen(at, later(5, 2027), 'en-GB')).toBe('3 March 2026 14:02');
  });
});

test('lines are counted with a real minus sign, and nothing removed is shown', () => {
  expect([formatAdded(18, 'en'), formatRemoved(0, 'en')]).toEqual(['+18', '\u22120']);
});

test('names are joined as the language does', () => {
  expect(joinNames(['Agent 1', 'Agent 3'], 'en')).toBe('Agent 1 and Agent 3');
  expect([counted(1, 'vote', 'votes'), counted(2, 'vote', 'votes')]).toEqual(['1 vote', '2 votes']);
});

test('a reason of another part becomes a sentence', () => {
  const texts = ['no sandbox here', 'No sandbox here.', 'ändern?', ''];
  expect(texts.map(asSentence)).toEqual(['No sandbox here.', 'No sandbox here.', 'Ändern?', '']);
});
