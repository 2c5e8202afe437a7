import { describe, expect, it } from 'vitest';
import { parseArguments, usage } from '../../../src/cli/arguments';
import { UsageError } from '../../../src/cli/failure';

describe('arguments', () => {
  it('are all optional', () => {
    expect(parseArguments([])).toEqual({
      kind: 'run',
      options: {
        task: undefined,
        config: undefined,
        project: undefined,
        storage: undefined,
        apply: false,
        allowCommands: false,
        trustConfig: false,
        automation: false,
        noColor: false,
        debug: false,
      },
    });
  });

  it('may stand in any order', () => {
    const args = ['--apply', 'Fix it', '--config=team.yaml', '--project', 'x', '--no-color'];
    expect(parseArguments(args)).toMatchObject({
      options: { task: 'Fix it', config: 'team.yaml', project: 'x', apply: true, noColor: true },
    });
  });

  it('take a task that looks like an option after two dashes', () => {
    expect(parseArguments(['--', '--apply'])).toMatchObject({
      options: { task: '--apply', apply: false },
    });
  });

  it('ask for help or the version before anything else', () => {
    expect(parseArguments(['-h', '--apply'])).toEqual({ kind: 'help' });
    expect(parseArguments(['--version'])).toEqual({ kind: 'version' });
  });

  it.each([
    [['--aply'], /--aply is not an option\. Did you mean --apply\?/],
    [['--model', 'x'], /--model is not an option\./],
    [['--config'], /config/],
    [['--apply=yes'], /apply/],
    [['Fix', 'it'], /Only one task/],
    [['  '], /empty/],
  ])('%j are refused', (args, message) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
    expect(() => parseArguments(args)).toThrow(message);
  });

  it('are all in the help', () => {
    const flags = ['config', 'project', 'apply', 'allow-commands', 'trust-config', 'storage'];
    for (const flag of [...flags, 'automation', 'no-color', 'debug', 'version', 'help']) {
      expect(usage).toContain(`--${flag}`);
    }
  });
});
