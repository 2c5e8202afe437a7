import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../../src/cli/env-file';
import { envValueProblem, withVariables } from '../../../../src/cli/wizards/env-text';

const set = (text: string, values: Readonly<Record<string, string>>): string =>
  withVariables(text, new Map(Object.entries(values)));

describe('variables that are put into a .env file', () => {
  it('replace the value in place and leave every other byte', () => {
    const text = [
      '\uFEFF# mine',
      'A_KEY=old   # from work',
      '  export B_KEY = "old" # quoted',
      '',
      'OTHER=untouched   ',
      'not an assignment',
      "C_KEY='old'",
      '',
    ].join('\r\n');
    expect(set(text, { A_KEY: 'new', B_KEY: 'b c', C_KEY: 'x' })).toBe(
      [
        '\uFEFF# mine',
        'A_KEY=new   # from work',
        "  export B_KEY = 'b c' # quoted",
        '',
        'OTHER=untouched   ',
        'not an assignment',
        'C_KEY=x',
        '',
      ].join('\r\n'),
    );
  });

  it('come last when they are new, on lines of their own', () => {
    expect(set('A=1', { B_KEY: 'two', C_KEY: 'three' })).toBe('A=1\nB_KEY=two\nC_KEY=three\n');
    expect(set('A=1\r\n', { B_KEY: 'two' })).toBe('A=1\r\nB_KEY=two\r\n');
    expect(set('', { B_KEY: 'two' })).toBe('B_KEY=two\n');
  });

  it('replace every line that sets them, so that no reader finds the old value', () => {
    expect(set('A_KEY=1\nA_KEY=2\n', { A_KEY: '3' })).toBe('A_KEY=3\nA_KEY=3\n');
  });

  it('are not mistaken for others or for comments', () => {
    const text = '# A_KEY=1\nMY_A_KEY=1\nA_KEY2=1\n';
    expect(set(text, { A_KEY: 'new' })).toBe(`${text}A_KEY=new\n`);
  });

  it('change nothing when there are none', () => {
    expect(set('A=1', {})).toBe('A=1');
  });
});

/** As other readers take a line: quotes are taken off, and double ones expand escapes and variables. */
function otherReader(line: string): string {
  const written = line.slice(line.indexOf('=') + 1).trimEnd();
  if (written.startsWith("'")) {
    return written.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
  }
  const isDouble = written.startsWith('"');
  const inner = isDouble ? written.slice(1, -1) : written;
  return inner.replaceAll(/\\(.)/g, '$1').replaceAll(/\$\{?\w*\}?|`[^`]*`/g, '(expanded)');
}

const asciiText = fc.string({
  unit: fc.constantFrom(...'aZ09 "\'\\$`#=!&*;|<>(){}[]~%^,.:/@+-_'.split('')),
});

describe('a value that is accepted', () => {
  it('is read back as it was, here and by readers that expand escapes and variables', () => {
    fc.assert(
      fc.property(fc.oneof(asciiText, fc.string()), (value) => {
        fc.pre(value !== '' && envValueProblem(value) === undefined);
        const text = set('# head\nX=1\nA_KEY=old # c\nlast', { A_KEY: value, B_KEY: value });
        const values = parseEnvFile(text);
        expect([values.get('A_KEY'), values.get('B_KEY')]).toEqual([value, value]);
        expect(values.get('X')).toBe('1');
        const added = text.split('\n').find((line) => line.startsWith('B_KEY=')) ?? '';
        expect(otherReader(added)).toBe(value);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('may hold spaces and quotes of one kind', () => {
    expect(set('', { K: 'a b' })).toBe("K='a b'\n");
    expect(set('', { K: `it's # here` })).toBe(`K="it's # here"\n`);
    expect(set('', { K: 'say "no"' })).toBe(`K='say "no"'\n`);
    expect(set('', { K: 'sk-ant-a_B.c/1+2=' })).toBe('K=sk-ant-a_B.c/1+2=\n');
  });
});

describe('a value that no reader would give back', () => {
  it.each([
    ['a\nb', 'This holds characters that no key has, such as a line break. Copy the key alone.'],
    [
      'schlüssel',
      'This holds characters that no key has, such as a line break. Copy the key alone.',
    ],
    [' a', 'A key neither begins nor ends with a space.'],
    [
      `'"`,
      'This holds quotes of both kinds, or a quote beside a dollar sign or a backslash, which no key has.',
    ],
  ])('%j is refused with the reason', (value, reason) => {
    expect(envValueProblem(value)).toBe(reason);
    expect(() => set('', { K: value })).toThrow('cannot be written');
  });
});
