// Lines that nobody would write on purpose: each is taken or refused with one sentence, and none ends in a stack.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { failureOf, UsageError } from '../../../src/cli/failure';
import { commands, options, optionsOf } from '../../../src/cli/options';

function refusalOf(...args: readonly string[]): readonly string[] | undefined {
  try {
    parseArguments(args);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, hint, exitCode } = failureOf(error);
    expect(exitCode).toBe(1);
    return [message, hint ?? []].flat();
  }
}

const withValue = optionsOf('run').filter(
  ({ value, isValueOptional }) => value !== undefined && isValueOptional !== true,
);
const withoutValue = optionsOf('run').filter(({ value }) => value === undefined);

describe('an option', () => {
  it.each(withValue.map(({ name }) => name))('takes no other option as its value: --%s', (name) => {
    for (const next of ['--automation', '--config=x.yaml', '-v', '--limit']) {
      expect(refusalOf(`--${name}`, next, 'a task')).toEqual([
        `--${name} needs a value.`,
        `${next} is an option of its own; if it is meant as the value, write --${name}=${next}.`,
      ]);
    }
  });

  it('takes a value that looks like an option behind an equals sign', () => {
    expect(parseArguments(['a task', '--output-file=--automation'])).toMatchObject({
      options: { outputFile: '--automation', automation: false },
    });
  });

  it('takes a value that begins with a dash and is no option', () => {
    expect(parseArguments(['a task', '--config', '-team.yaml'])).toMatchObject({
      options: { config: '-team.yaml' },
    });
  });

  it.each(withoutValue.map(({ name }) => name))(
    'that has no value says so when it is given one: --%s',
    (name) => {
      expect(refusalOf(`--${name}=true`)).toEqual([
        `--${name} takes no value.`,
        'massgen --help all says what it does.',
      ]);
    },
  );

  it.each(withValue.filter(({ isRepeatable }) => isRepeatable !== true).map(({ name }) => name))(
    'is refused when it is given two values: --%s',
    (name) => {
      const choices = options.find((option) => option.name === name)?.choices;
      const [one = 'one', two = 'two'] = choices ?? [];
      expect(refusalOf(`--${name}=${one}`, `--${name}=${two}`, 'a task')).toEqual([
        `--${name} is given more than once: ${one}, ${two}.`,
      ]);
    },
  );

  it('may be written twice when it says the same', () => {
    expect(
      parseArguments(['a task', '--config', 'a.yaml', '--config=a.yaml', '--apply', '--apply']),
    ).toMatchObject({ options: { config: 'a.yaml', apply: true } });
  });

  it('is named as it was written when it is none', () => {
    expect(refusalOf('-xyz')?.[0]).toBe('-xyz is not an option.');
    expect(refusalOf('---')?.[0]).toBe('--- is not an option.');
    expect(refusalOf('--=')?.[0]).toBe('--= is not an option.');
  });
});

describe('any line', () => {
  const names = options.flatMap(({ name, short, alias }) =>
    [name, short ?? [], alias ?? []].flat(),
  );
  const strange = fc.oneof(
    fc.constantFrom('', '=', '--', '-', '---', '--=', '\0', 'a\0b', '\ud800', '\u202eevil'),
    fc.constantFrom('\u001B[31m', '--__proto__', '--constructor', '-1', '1e999', '__proto__'),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  const word = fc.oneof(
    strange,
    fc
      .tuple(fc.constantFrom('-', '--', '---'), fc.constantFrom(...names))
      .map((each) => each.join('')),
    fc.tuple(fc.constantFrom(...names), strange).map(([name, value]) => `--${name}=${value}`),
  );
  const line = fc.tuple(
    fc.constantFrom([], ...commands.map(({ name }) => [name])),
    fc.array(word, { maxLength: 5 }),
  );

  it('is taken, or refused with a sentence that a terminal can show', () => {
    fc.assert(
      fc.property(line, ([command, rest]) => {
        const refusal = refusalOf(...command, ...rest);
        expect(refusal?.join('') ?? '').not.toMatch(
          /[\u0000-\u0009\u001b\u202e]|undefined|\[object/,
        );
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('is answered in few words, however long it is', () => {
    const long = 'x'.repeat(100_000);
    for (const args of [[`--${long}`], ['runs', long], [`--display=${long}`, 'a task']]) {
      expect(refusalOf(...args)?.join('\n').length).toBeLessThan(1_000);
    }
  });
});
