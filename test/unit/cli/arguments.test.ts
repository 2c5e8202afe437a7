import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { UsageError } from '../../../src/cli/failure';
import { commands, options } from '../../../src/cli/options';
import { topics } from '../../../src/cli/topics';
import { usage } from '../../../src/cli/usage';

describe('arguments', () => {
  it('are all optional', () => {
    expect(parseArguments([])).toEqual({
      kind: 'run',
      options: {
        task: undefined,
        isDemonstration: false,
        config: undefined,
        select: false,
        quick: undefined,
        changes: {
          singleAgent: undefined,
          isQuick: false,
          coordinationMode: undefined,
          timeoutSeconds: undefined,
        },
        warnings: 'told',
        project: undefined,
        cwdContext: undefined,
        readsReferences: true,
        storage: undefined,
        apply: false,
        allowCommands: false,
        trustConfig: false,
        display: undefined,
        automation: false,
        timeline: false,
        streamEvents: false,
        outputFile: undefined,
        inboxDir: undefined,
        noLogs: false,
        noSessionRegistry: false,
        rateLimit: false,
        logInProject: false,
        noColor: false,
        debug: false,
        checks: undefined,
        follows: undefined,
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
    expect(parseArguments(['-h', '--apply'])).toEqual({ kind: 'help', about: 'short' });
    expect(parseArguments(['--version'])).toEqual({ kind: 'version' });
  });

  it.each([
    [['--aply'], /--aply is not an option\. Did you mean --apply\?/],
    [['--config'], /config/],
    [['--apply=yes'], /apply/],
    [['Fix', 'it'], /Only one task/],
    [['  '], /empty/],
  ])('%j are refused', (args, message) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
    expect(() => parseArguments(args)).toThrow(message);
  });

  it('of a command come after its name', () => {
    expect(parseArguments(['replay', 'abc', '--storage', 'x'])).toMatchObject({
      kind: 'replay',
      run: 'abc',
      options: { storage: 'x' },
    });
    expect(parseArguments(['resume', 'latest', '--apply'])).toMatchObject({
      kind: 'resume',
      run: 'latest',
      options: { apply: true, allowCommands: false },
    });
    expect(parseArguments(['runs', '--json', '--all'])).toMatchObject({
      kind: 'runs',
      options: { json: true, all: true },
    });
    expect(parseArguments(['redecide', '--help'])).toEqual({
      kind: 'help',
      about: 'redecide',
    });
  });

  it('take a task that is the name of a command after two dashes', () => {
    expect(parseArguments(['--', 'replay'])).toMatchObject({
      kind: 'run',
      options: { task: 'replay' },
    });
  });

  it('name another rule in the words of a team file', () => {
    const args = [
      ...['redecide', 'x', '--rule', 'supermajority', '--threshold', '2/3', '--quorum=60%'],
      ...['--margin', '0.5', '--self-vote', 'by-panel-size', '--tie-break', 'latest,evidence'],
      ...['--weights', 'ann=2,bob=0.5', '--weights', 'cy=0', '--min-agreement', '2'],
      ...['--stop', 'exact', '--on-split', 'fail', '--electorate', 'answered'],
      ...['--families', 'weight', '--json'],
    ];
    expect(parseArguments(args)).toMatchObject({
      kind: 'redecide',
      options: {
        json: true,
        overrides: {
          rules: {
            rule: 'supermajority',
            threshold: 2 / 3,
            quorum: 0.6,
            margin: 0.5,
            selfVote: 'by_panel_size',
            tieBreak: ['latest', 'evidence'],
            minAgreement: 2,
            stop: 'exact',
            onSplit: 'fail',
            electorate: 'answered',
            families: 'weight',
          },
          weights: new Map([
            ['ann', 2],
            ['bob', 0.5],
            ['cy', 0],
          ]),
        },
      },
    });
  });

  it('leave alone what is not named', () => {
    const found = parseArguments(['redecide', 'x', '--rule', 'majority']);
    expect(found).toMatchObject({ options: { overrides: { rules: { rule: 'majority' } } } });
    expect(found.kind === 'redecide' && Object.keys(found.options.overrides.rules)).toEqual([
      'rule',
    ]);
  });

  it('say where a task goes on from', () => {
    expect(parseArguments(['Next', '--continue'])).toMatchObject({
      options: { follows: 'folder' },
    });
    expect(parseArguments(['Next', '--session', 'abc'])).toMatchObject({
      options: { follows: { session: 'abc' } },
    });
  });

  it.each([
    [['replay'], /needs a run/],
    [['replay', 'a', 'b'], /does not take b/],
    [['runs', 'a'], /does not take a/],
    [['replay', 'a', '--apply'], /--apply is an option of a new run and massgen resume only/],
    [['Fix it', '--rule', 'majority'], /--rule is an option of massgen redecide only/],
    [['redecide', 'a', '--rule', 'majorty'], /Did you mean majority\?/],
    [['redecide', 'a', '--rul', 'x'], /Did you mean --rule\?/],
    [['redecide', 'a', '--threshold', '1.2'], /a share such as/],
    [['redecide', 'a', '--threshold', '0'], /a share such as/],
    [['redecide', 'a', '--margin', '-1'], /at least 0|ambiguous/],
    [['redecide', 'a', '--margin='], /at least 0/],
    [['redecide', 'a', '--min-agreement', '1.5'], /whole number/],
    [['redecide', 'a', '--weights', 'ann'], /ann=2/],
    [['redecide', 'a', '--weights', 'ann=heavy'], /ann=2/],
    [['redecide', 'a', '--weights', 'ann=1e400'], /at most 1000/],
    [['redecide', 'a', '--margin', '1e400'], /at least 0/],
    [['redecide', 'a', '--tie-break', 'latest,newest'], /takes one of/],
    [['--continue'], /no task/],
    [['x', '--continue', '--session', 'y'], /two places/],
    [['--log-in-project'], /needs a task/],
  ])('%j are refused with a reason', (args, message) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
    expect(() => parseArguments(args)).toThrow(message);
  });

  it('are all in the help of their command', () => {
    for (const { name } of commands) {
      const text = usage(name === 'run' ? 'all' : name);
      for (const { name: option, commands: only } of options) {
        const isThere = new RegExp(`--${option}\\b(?!-)`).test(text);
        expect([name, option, isThere]).toEqual([
          name,
          option,
          only === undefined || only.includes(name),
        ]);
      }
      expect(usage('short')).toContain(name === 'run' ? 'TASK' : `  ${name}`);
    }
  });

  it('have a help that fits a terminal, the short one on one screen', () => {
    const pages = [
      'short' as const,
      ...topics.map(({ name }) => name),
      ...commands.flatMap(({ name }) => (name === 'run' ? [] : [name])),
    ];
    const lines = pages.flatMap((page) => usage(page).split('\n'));
    expect(lines.filter((line) => line.length > 88)).toEqual([]);
    expect(usage('short').split('\n').length).toBeLessThan(70);
    for (const width of [80, 60, 45]) {
      // Lines to copy stay whole, and names of options are as long as they are.
      const narrow = pages.flatMap((page) => usage(page, width).split('\n'));
      const long = narrow.filter(
        (line) => line.length > width && !/^massgen |^ *\S+( \S+)?$/.test(line),
      );
      expect([width, long]).toEqual([width, []]);
    }
  });
});
