import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { completionScript } from '../../../src/cli/completion-script.lazy';
import { commands, optionsOf } from '../../../src/cli/options';
import { shells } from '../../../src/cli/shells';

/** What bash would offer for the last of the words. */
function offered(...words: readonly string[]): readonly string[] {
  const script = [
    completionScript('bash'),
    `COMP_WORDS=(massgen ${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_massgen',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const output = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  it('offers commands first, and the options of a run', () => {
    expect(offered('re')).toEqual(['replay', 'redecide', 'resume']);
    expect(offered('--quick')).toEqual(expect.arrayContaining(['--quickstart']));
    expect(offered('task', 're')).toEqual([]);
    expect(offered('')).toEqual(
      expect.arrayContaining(commands.slice(1).map(({ name }) => name as string)),
    );
  });

  it.each(commands.slice(1))('offers the options of $name after it, and no others', ({ name }) => {
    expect(offered(name, '--')).toEqual(optionsOf(name).map((option) => `--${option.name}`));
  });

  it('offers the values of an option, and leaves files to the shell', () => {
    const option = optionsOf('run').find(({ choices = [] }) => choices.length > 0);
    expect(offered(`--${option?.name ?? ''}`, '')).toEqual(option?.choices);
    expect(offered('--config', '')).toEqual([]);
  });
});

describe('completion in other shells', () => {
  it('is the script for bash in zsh', () => {
    expect(completionScript('zsh')).toContain('bashcompinit');
    expect(completionScript('zsh')).toContain('complete -o default -F _massgen massgen');
  });

  it('has a line for every command and option in fish, with quotes kept', () => {
    const lines = completionScript('fish').split('\n');
    for (const { name } of commands.slice(1)) {
      expect(lines).toContainEqual(expect.stringContaining(`-a ${name} -d '`));
      for (const option of optionsOf(name)) {
        expect(lines).toContainEqual(
          expect.stringMatching(`seen_subcommand_from ${name}' -l ${option.name} `),
        );
      }
    }
    for (const line of lines) {
      expect(line.replaceAll(/\\[\\']/g, '').split("'").length % 2).toBe(1);
    }
  });
});

describe('massgen completion', () => {
  it.each(shells)('takes %s', (shell) => {
    expect(parseArguments(['completion', shell])).toEqual({ kind: 'completion', shell });
  });

  it.each([[], ['tcsh']])('names the shells otherwise', (...words) => {
    expect(() => parseArguments(['completion', ...words])).toThrow(
      'massgen completion needs a shell: bash, zsh, fish.',
    );
  });
});
