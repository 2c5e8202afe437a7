import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/load-config';
import { kinds } from './example-texts';

/** Members that every object has, which are no words of any file. */
const names = Object.getOwnPropertyNames(Object.prototype);

function problemsOf(text: string): readonly (readonly [number, string])[] {
  const result = loadConfig(text, '/p/team.yaml', kinds);
  const problems = result.kind === 'problems' ? result.problems : result.warnings;
  return problems.map(({ line, code }) => [line, code]);
}

const agent = '{ id: a, backend: { type: openai, model: gpt-5.4 } }';

describe.each(names)('the word %s in a team file', (name) => {
  it('is no truth value', () => {
    const text = `agents:\n  - ${agent}\norchestrator:\n  skip_voting: ${name}\n`;
    expect(problemsOf(text)).toContainEqual([4, 'wrong-type']);
  });

  it('is a name like any other, and nobody is told to put it in quotes', () => {
    const text = `name: ${name}\nagents:\n  - ${agent.replace('id: a', `id: ${name}`)}\n`;
    expect(problemsOf(text).filter(([, code]) => code === 'wrong-type')).toEqual([]);
  });

  it('is no unit of time and no type of backend', () => {
    const text = `agents:\n  - { id: a, backend: { type: ${name}, model: gpt-5.4 } }\nlimits:\n  duration_minutes: 30 ${name}\n`;
    const told = loadConfig(text, '/p/team.yaml', kinds);
    const lines = told.kind === 'problems' ? told.problems : [];
    expect(lines.map(({ line }) => line)).toEqual([2, 4]);
    expect(lines.map(({ suggestion }) => suggestion)).toEqual([undefined, undefined]);
  });

  it('leaves the objects of the program as they are', () => {
    problemsOf(`agents:\n  - ${agent}\norchestrator:\n  skip_voting: ${name}\n${name}: { a: 1 }\n`);
    expect(Object.isFrozen(Object.prototype)).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });
});
