import { describe, expect, it } from 'vitest';
import { report } from '../../../support/scenarios/run-scenarios';

const good = `X01 two agents agree
  A: +100 ans A1 | +100 vote 1 ;; B: +100 ans B1 | +150 vote 1
  => 100 A answer 1.1; 100 B answer 2.1; 200 A vote 1.1; 250 B vote 1.1; 250 end winner=1.1 by=rule | tally 1:2 | calls A:2,B:2
`;

describe('the scenario runner', () => {
  it('takes bare text with ids of any kind', () => {
    expect(report(good)).toEqual({ lines: ['X01 ok', '1 passed, 0 failed'], failed: 0 });
  });

  it('takes the fenced block of a document and leaves the prose alone', () => {
    const { lines } = report(`# Title\n\nProse => here.\n\n\`\`\`scenarios\n${good}\`\`\`\nmore\n`);
    expect(lines).toEqual(['X01 ok', '1 passed, 0 failed']);
  });

  it('shows expected and actual of a trace that differs', () => {
    const { lines, failed } = report(good.replace('250 B vote 1.1;', '240 B vote 1.1;'));
    expect(failed).toBe(1);
    expect(lines[0]).toBe('X01 FAIL');
    expect(lines[1]).toContain('expected trace 100 A answer 1.1;');
    expect(lines[1]).toContain('240 B vote 1.1');
    expect(lines[2]).toContain('250 B vote 1.1');
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
  });

  it.each([
    ['a tally', 'tally 1:2', 'tally 1:1'],
    ['a number of calls', 'B:2', 'B:3'],
    ['a winner', 'winner=1.1', 'winner=2.1'],
  ])('fails at %s that differs', (_what, from, to) => {
    expect(report(good.replace(from, to)).failed).toBe(1);
  });

  it.each([
    ['an unknown step', good.replace('vote 1 ;;', 'veto 1 ;;'), 'unknown step "+100 veto 1"'],
    ['a step without its word', good.replace('+100 vote 1 ;;', '+100 vote ;;'), 'unknown step'],
    ['an unknown key', good.replace('agree', 'agree @ colour=red'), 'unknown key "colour"'],
    ['an unknown value', good.replace('agree', 'agree @ rule=best'), '"best" is none of'],
    ['an unknown expectation', good.replace('| calls', '| cost'), 'unknown expectation'],
    ['a missing expectation', good.replace('=>', ''), 'there is no line with "=>"'],
  ])('fails at %s and says so', (_what, text, problem) => {
    const { lines, failed } = report(text);
    expect(failed).toBe(1);
    expect(lines[1]).toContain(problem);
  });

  it('goes on after a scenario that cannot be read', () => {
    const { lines } = report(good.replace('vote 1 ;;', 'veto 1 ;;') + good.replace('X01', 'X02'));
    expect(lines.filter((line) => line.startsWith('X'))).toEqual(['X01 FAIL', 'X02 ok']);
  });

  it('does not take an empty text for success', () => {
    expect(report('').failed).toBe(1);
  });
});
