import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EarlierTurn } from '../../../src/run/facts';
import { boundedHistory } from '../../../src/run/session-history';

const turn = (number: number, answer: string, task = `Task ${number}.`): EarlierTurn => ({
  turn: number,
  task,
  answer,
});
const size = (turns: readonly EarlierTurn[]): number =>
  turns.reduce((sum, { task, answer }) => sum + task.length + answer.length, 0);

it('tells short turns as they were, oldest first', () => {
  const turns = [1, 2, 3, 4, 5, 6].map((number) => turn(number, `Answer ${number}.`));
  expect(boundedHistory(turns, null)).toEqual(turns);
});

it('shortens turns before the last three, and says how much is left out', () => {
  const turns = [1, 2, 3, 4].map((number) => turn(number, `${'x'.repeat(5_000)} end ${number}`));
  const [first, ...rest] = boundedHistory(turns, null);
  expect(rest).toEqual(turns.slice(1));
  expect(first?.task).toBe('Task 1.');
  expect(first?.answer).toMatch(/^x+\n\[… \d+ characters or more are left out …\]\nx+ end 1$/);
  expect(size(first === undefined ? [] : [first])).toBeLessThanOrEqual(1_200);
});

it('prefers newer turns when the budget is small', () => {
  const turns = [1, 2, 3].map((number) => turn(number, 'x'.repeat(3_900)));
  const told = boundedHistory(turns, 1_500);
  expect(told.map((one) => one.turn)).toEqual([2, 3]);
  expect(told.at(-1)).toEqual(turns.at(-1));
});

it('cuts a long task rather than the answer', () => {
  const [told] = boundedHistory([turn(1, 'The answer.', 't'.repeat(10_000))], 300);
  expect(told?.answer).toBe('The answer.');
  expect(told?.task).toContain('left out');
});

it('stays within the budget, keeps the order, and leaves no half of a character', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.nat(3_000).map((n) => '🙂'.repeat(n)),
  );
  const turns = fc
    .array(fc.tuple(text, text), { maxLength: 8 })
    .map((all) => all.map(([task, answer], i) => turn(i + 1, answer, task)));
  fc.assert(
    fc.property(turns, fc.integer({ min: 100, max: 4_000 }), (all, budget) => {
      const told = boundedHistory(all, budget);
      expect(size(told)).toBeLessThanOrEqual(budget * 4);
      expect(told.map((one) => one.turn)).toEqual(
        all.slice(all.length - told.length).map((one) => one.turn),
      );
      for (const { task, answer } of told) {
        expect(encodeURIComponent(`${task} ${answer}`)).not.toBe('');
      }
    }),
    { seed: 11 },
  );
});
