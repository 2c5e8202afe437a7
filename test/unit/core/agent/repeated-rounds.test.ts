import { describe, expect, it } from 'vitest';
import { RepeatedRounds } from '../../../../src/core/agent/repeated-rounds';

type Call = readonly [name: string, argumentsJson: string, result: string];

/** Gives one round of calls; answers what the model then reads. */
function play(rounds: RepeatedRounds, ...calls: readonly Call[]): readonly string[] {
  const placed = calls.map(([name, argumentsJson], index) => ({
    call: { id: `c${index}`, name, argumentsJson },
    index,
  }));
  const results = calls.map(([name, , text], i) => ({
    ...{ toolCallId: `c${i}`, name, text, isError: false },
  }));
  return rounds.after(placed, results).map(({ text }) => text);
}

const read: Call = ['read_file', '{"path":"a","line":1}', 'one'];
const list: Call = ['list_directory', '{}', 'a'];

describe('rounds of calls', () => {
  it('are marked from the third one on that brings the same', () => {
    const rounds = new RepeatedRounds();
    expect(play(rounds, read)).toEqual(['one']);
    expect(play(rounds, ['read_file', '{ "line": 1, "path": "a" }', 'one'])).toEqual(['one']);
    const [third] = play(rounds, read);
    expect(third).toMatch(/^one\n\[You have made this call 3 times in a row/);
    expect(rounds.count).toBe(3);
  });

  it('are the same in any order, also with several calls', () => {
    const rounds = new RepeatedRounds();
    play(rounds, read, list);
    play(rounds, list, read);
    expect(play(rounds, read, list).every((text) => text.includes('3 times'))).toBe(true);
  });

  it.each<readonly [string, Call]>([
    ['another result', ['read_file', '{"path":"a","line":1}', 'two']],
    ['other arguments', ['read_file', '{"path":"b","line":1}', 'one']],
    ['another tool', list],
  ])('begin anew with %s', (_what, other) => {
    const rounds = new RepeatedRounds();
    play(rounds, read);
    play(rounds, read);
    expect(play(rounds, other)).toEqual([other[2]]);
    expect(play(rounds, read)).toEqual(['one']);
    expect(rounds.count).toBe(1);
  });
});
