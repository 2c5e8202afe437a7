import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { withChecks } from '../../../src/cli/choose-checks';
import { commandPolicy } from '../../../src/cli/command-policy';
import type { CheckSpec } from '../../../src/run/check-facts';
import { teamOf } from '../../support/scripted-kind';

const spec = (name: string): CheckSpec => ({
  ...{ name, command: `run ${name}`, kind: 'test', timeoutMs: 1000, mode: 'gate' },
});
const found = ['test', 'lint'].map((name) => ({ spec: spec(name), source: 'package.json' }));
const team = teamOf(['a']);
const withOwn = { ...team, settings: { ...team.settings, checks: [spec('own')] } };

describe('the checks of a run', () => {
  it('are those of the team file when nothing is asked for, and what is found is only offered', () => {
    expect(withChecks(team, undefined, found)).toEqual({ config: team, offered: ['test', 'lint'] });
    expect(withChecks(withOwn, undefined, found)).toEqual({ config: withOwn, offered: [] });
  });

  it('are those asked for, by a name of the team or the project, else as a command', () => {
    const words = ['own', 'lint', 'make all', 'lint'];
    const { config, offered } = withChecks(withOwn, words, found);
    expect(config.settings.checks?.map(({ command }) => command)).toEqual([
      ...['run own', 'run lint', 'make all'],
    ]);
    expect(offered).toEqual([]);
  });

  it('are none when none are asked for', () => {
    expect(withChecks(withOwn, 'none', found).config.settings.checks).toEqual([]);
  });

  it('are not guessed from a name that was mistyped', () => {
    expect(() => withChecks(team, ['tets'], found)).toThrow(/Did you mean test/);
    expect(withChecks(team, ['tox'], found).config.settings.checks).toMatchObject([
      { name: 'tox', command: 'tox', mode: 'gate' },
    ]);
  });

  it.each([
    [
      ['--check', 'a', '--check', 'b c', 'task'],
      ['a', 'b c'],
    ],
    [['--no-checks', 'task'], 'none'],
    [['task'], undefined],
  ])('of %j are %j', (args, checks) => {
    const invocation = parseArguments(args);
    expect(invocation.kind === 'run' ? invocation.options.checks : 'no run').toEqual(checks);
  });

  it.each([
    [['--check', 'a', '--no-checks', 'task'], 'exclude one another'],
    [['--check', ' ', 'task'], 'needs the name'],
    [['clean-up', '--keep', 'many'], 'needs a number'],
    [['clean-up', 'x'], 'does not take'],
    [['patch'], 'needs a run'],
  ])('%j are refused', (args, message) => {
    expect(() => parseArguments(args)).toThrow(message);
  });

  it('are cleaned up with limits in plain units', () => {
    const args = [
      'clean-up',
      '--keep',
      '5',
      '--older-than',
      '30',
      '--max-size',
      '1.5',
      '--dry-run',
    ];
    expect(parseArguments(args)).toMatchObject({
      kind: 'clean-up',
      options: { limits: { runs: 5, days: 30, bytes: 1_500_000_000 }, dryRun: true },
    });
  });
});

describe('commands, where nobody can be asked,', () => {
  const decided = (allowed: 'all' | readonly string[], isConfined: boolean): boolean | undefined =>
    commandPolicy(allowed).decide({
      ...{ command: 'ls', cwd: '/p', hash: '', rememberedAs: '', isConfined },
    })?.isAllowed;

  it('run when they are confined, and else only with the word of the user', () => {
    expect([decided([], true), decided([], false)]).toEqual([true, false]);
    expect([decided(['ls'], false), decided('all', false)]).toEqual([true, true]);
  });

  it('do not run as a tool that has changed, confined or not', () => {
    const tool = { command: 'a {}', cwd: '/p', hash: '', rememberedAs: '', isConfined: true };
    const isAllowed = (allowed: 'all' | readonly string[]): boolean | undefined =>
      commandPolicy(allowed).decide({ ...tool, isChanged: true })?.isAllowed;
    expect([isAllowed([]), isAllowed('all')]).toEqual([false, true]);
  });

  it('do not run unconfined for an agent whose team file wants isolation', () => {
    const command = {
      command: 'ls',
      cwd: '/p',
      hash: '',
      rememberedAs: '',
      mustAsk: true,
    } as const;
    const isAllowed = (allowed: 'all' | readonly string[], isConfined: boolean): unknown =>
      commandPolicy(allowed).decide({ ...command, isConfined })?.isAllowed;
    expect([isAllowed('all', false), isAllowed(['ls'], false)]).toEqual([false, false]);
    expect(isAllowed([], true)).toBe(true);
  });

  it('are no programs: one of the same words is not on the list', () => {
    const program = { command: 'ls', cwd: '/p', hash: '', rememberedAs: '', isConfined: false };
    const isAllowed = (allowed: 'all' | readonly string[]): boolean | undefined =>
      commandPolicy(allowed).decide({ ...program, isProgram: true })?.isAllowed;
    expect([isAllowed('all'), isAllowed(['ls']), isAllowed([])]).toEqual([true, false, false]);
  });
});
