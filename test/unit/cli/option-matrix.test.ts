// Which options may stand together, and what is said of those that may not: the whole message, as a person reads it.
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { failureOf } from '../../../src/cli/failure';
import { conflicts } from '../../../src/cli/options-of-runs';
import { namesElsewhere } from '../../../src/cli/options-elsewhere';
import { optionsOf } from '../../../src/cli/options';

/** What is printed on standard error and the exit code; `undefined`: the line is accepted. */
function refusalOf(args: readonly string[]): { code: number; text: string } | undefined {
  try {
    parseArguments(args);
    return undefined;
  } catch (error) {
    const { message, hint, exitCode } = failureOf(error);
    return { code: exitCode, text: [message, hint ?? []].flat().join('\n') };
  }
}

const allPage = 'massgen --help all lists them.';

describe('a line that contradicts itself is refused with exit code 1:', () => {
  it.each<[string, string]>([
    [
      't --config a.yaml --select',
      '--config and --select exclude one another. Each of them chooses the team.',
    ],
    [
      't --config a.yaml --backend claude',
      '--config and --backend exclude one another. Each of them chooses the team.',
    ],
    [
      't --select --backend claude',
      '--select and --backend exclude one another. Each of them chooses the team.',
    ],
    [
      't --config a.yaml --model gpt-5',
      '--config and --model exclude one another. A team file says itself which models play.',
    ],
    [
      't --config a.yaml --system-message x',
      '--config and --system-message exclude one another. A team file says itself which models play.',
    ],
    [
      't --config a.yaml --base-url http://x',
      '--config and --base-url exclude one another. A team file says itself which models play.',
    ],
    [
      't --select --model gpt-5',
      '--select and --model exclude one another. A team file says itself which models play.',
    ],
    ['t --system-message x', '--system-message goes with --model or --backend.'],
    ['t --base-url http://x', '--base-url goes with --model or --backend.'],
    ['t --timeline', '--timeline goes with --automation.'],
    [
      't --automation --timeline --stream-events',
      '--stream-events and --timeline exclude one another. The events hold every answer and vote already.',
    ],
    [
      't --select --automation',
      '--select and --automation exclude one another. A menu needs a person.',
    ],
    [
      't --display rich --no-display',
      '--display and --no-display exclude one another. Both say how the run is shown.',
    ],
    [
      't --no-logs --log-in-project',
      '--no-logs and --log-in-project exclude one another. A run of which nothing is kept has no files and no session.',
    ],
    [
      't --no-logs --continue',
      '--no-logs and --continue exclude one another. A run of which nothing is kept has no files and no session.',
    ],
    [
      't --continue --session-id x',
      '--continue and --session-id exclude one another. They name two places to go on from.',
    ],
    ['--continue', 'There is no task.\nSay what to do next, in quotes.'],
    ['--session-id x', 'There is no task.\nSay what to do next, in quotes.'],
    ['--log-in-project', 'The sample project is removed again; --log-in-project needs a task.'],
    [
      't --check lint --no-checks',
      '--check and --no-checks exclude one another. One asks for checks, the other for none.',
    ],
    [
      't --strict-validation --skip-validation',
      '--strict-validation and --skip-validation exclude one another. One stops at warnings, the other does not look at them.',
    ],
    [
      't --single-agent=a --quick',
      '--single-agent and --quick exclude one another. One agent alone has nobody to coordinate with.',
    ],
    [
      '--demo --project x',
      '--demo and --project exclude one another. The demonstration has its own project and a team with a script.',
    ],
    ['t --demo', 'The demonstration has its own task.\nLeave out the task, or --demo.'],
    ['t --validate a.yaml', '--validate takes no task.\nIt starts no run; leave out the task.'],
    ['t --list-examples', '--list-examples takes no task.\nIt starts no run; leave out the task.'],
    ['t --setup', '--setup takes no task.\nIt starts no run; leave out the task.'],
    [
      '--validate a.yaml --list-sessions',
      '--validate and --list-sessions are two things of their own; ask for one.',
    ],
    [
      '--validate a.yaml --automation',
      '--automation means nothing to --validate.\nIt starts no run.',
    ],
    [
      '--validate a.yaml --config b.yaml',
      '--config means nothing to --validate.\nIt starts no run.',
    ],
    ['t --strict', '--strict goes with --validate.'],
    ['t --verbose', '--verbose goes with --validate.'],
    [
      't --json',
      '--json goes with --validate or --list-backends or --list-examples or --list-sessions.',
    ],
    ['t --all', '--all goes with --list-sessions.'],
    ['--schema-backend claude', '--schema-backend goes with --show-schema.'],
    ['--headless', '--headless goes with --quickstart.'],
    ['--quickstart-agent id=a', '--quickstart-agent goes with --quickstart.'],
    ['--config-model x', '--config-model goes with --generate-config.'],
    ['--force', '--force goes with --generate-config or --quickstart.'],
  ])('%s', (line, text) => {
    expect(refusalOf(line.split(' '))).toEqual({ code: 1, text });
  });
});

describe('a line with a mistake is refused with exit code 1:', () => {
  it.each<[readonly string[], string]>([
    [['--aply'], `--aply is not an option. Did you mean --apply?\n${allPage}`],
    [['t', '--qqqqqqqqqq'], `--qqqqqqqqqq is not an option.\n${allPage}`],
    [['t', '-x'], `-x is not an option.\n${allPage}`],
    [['t', '--config'], '--config needs a value.\nmassgen --help all says which.'],
    [['t', '--display', 'fancy'], '--display takes one of simple, rich, textual, not fancy.'],
    [
      ['t', '--display', 'simpel'],
      '--display takes one of simple, rich, textual, not simpel. Did you mean simple?',
    ],
    [['t', '--cwd-context', 'all'], '--cwd-context takes one of ro, rw, read, write, not all.'],
    [
      ['t', '--coordination-mode', 'paralel'],
      '--coordination-mode takes one of parallel, decomposition, not paralel. Did you mean parallel?',
    ],
    [
      ['t', '--orchestrator-timeout', '0'],
      '--orchestrator-timeout takes whole seconds from 1 to 2000000, not 0.',
    ],
    [
      ['t', '--orchestrator-timeout', '1.5'],
      '--orchestrator-timeout takes whole seconds from 1 to 2000000, not 1.5.',
    ],
    [
      ['t', '--orchestrator-timeout', '-5'],
      '--orchestrator-timeout takes whole seconds from 1 to 2000000, not -5.',
    ],
    [['Fix', 'it'], 'Only one task can be given.\nPut the whole task in quotes.'],
    [['  '], 'The task is empty.'],
    [['t', '--output-file', ' '], '--output-file needs a path.'],
    [['t', '--inbox-dir='], '--inbox-dir needs a path.'],
    [['t', '--check', ' '], '--check needs the name of a check, or a command in quotes.'],
    [
      ['help', 'exit-code'],
      'There is no help about exit-code. Did you mean exit-codes?\nPages: run, config, automation, sessions, setup, keys, examples, exit-codes, all, replay, redecide, resume, runs, logs, export, viewer, patch, clean-up, models, completion.',
    ],
    [['replay'], 'massgen replay needs a run.\nmassgen runs lists them; latest is the newest one.'],
    [
      ['logs', 'analyze'],
      'massgen logs does not know analyze.\nGive the files of a run to a team instead: massgen "What went wrong here?" --project DIR.',
    ],
    [
      ['logs', 'tols'],
      'massgen logs does not know tols.\nIt takes one of summary, tools, list, open.',
    ],
  ])('%j', (args, text) => {
    expect(refusalOf(args)).toEqual({ code: 1, text });
  });
});

describe('what MassGen has and this product has not is refused by name:', () => {
  it.each(namesElsewhere)('--%s', (name) => {
    for (const args of [[`--${name}`], ['t', `--${name}`, 'value'], ['t', `--${name}=value`]]) {
      const refusal = refusalOf(args);
      expect(refusal?.code).toBe(1);
      expect(refusal?.text).toMatch(
        new RegExp(`^--${name} is not available here\\.\\n[A-Za-z-].*\\.$`, 's'),
      );
    }
  });

  it.each([
    ['serve', 'Programs call run() of the package massgen, scripts massgen --automation.'],
    ['shares', 'Nothing is uploaded from here; massgen export RUN writes a run to this disk.'],
  ])('massgen %s', (name, instead) => {
    expect(refusalOf([name])).toEqual({
      code: 1,
      text: `massgen ${name} is not available here.\n${instead}`,
    });
    expect(refusalOf(['--', name])).toBeUndefined();
  });
});

/** Options of MassGen that mean something here, each with a line that takes it. */
const taken: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['t --config a.yaml', { config: 'a.yaml' }],
  ['t --select', { select: true }],
  ['t --backend claude', { quick: { models: [], backend: 'claude' } }],
  [
    't --model a --model b --backend openai --system-message m --base-url u',
    { quick: { models: ['a', 'b'], backend: 'openai', systemMessage: 'm', baseUrl: 'u' } },
  ],
  ['t --no-display', { display: 'simple' }],
  ['t --display simple', { display: 'simple' }],
  ['t --display rich', { display: 'live' }],
  ['t --display textual', { display: 'live' }],
  ['t --no-logs', { noLogs: true }],
  ['t --debug', { debug: true }],
  ['t --automation', { automation: true, display: 'simple' }],
  ['t --automation --no-display', { automation: true, display: 'simple' }],
  ['t --automation --display rich', { automation: true, display: 'simple' }],
  ['t --automation --timeline', { automation: true, timeline: true }],
  ['t --stream-events', { automation: true, streamEvents: true, display: 'simple' }],
  ['--demo --automation', { isDemonstration: true, automation: true, task: undefined }],
  ['t --skip-validation', { warnings: 'silent' }],
  ['t --strict-validation', { warnings: 'strict' }],
  ['t --session-id abc', { follows: { session: 'abc' } }],
  ['t --session abc', { follows: { session: 'abc' } }],
  ['t --continue', { follows: 'folder' }],
  ['t --orchestrator-timeout 90', { changes: { timeoutSeconds: 90 } }],
  ['t --rate-limit', { rateLimit: true }],
  ['t --single-agent', { changes: { singleAgent: { id: undefined } } }],
  ['t --single-agent ann', { changes: { singleAgent: { id: 'ann' } } }],
  ['t --quick', { changes: { isQuick: true } }],
  ['t --coordination-mode decomposition', { changes: { coordinationMode: 'decomposition' } }],
  ['t --cwd-context ro', { cwdContext: 'read' }],
  ['t --cwd-context read', { cwdContext: 'read' }],
  ['t --cwd-context rw', { cwdContext: 'write' }],
  ['t --cwd-context write', { cwdContext: 'write' }],
  ['t --no-parse-at-references', { readsReferences: false }],
  ['t --inbox-dir d', { inboxDir: 'd' }],
  ['t --output-file f', { outputFile: 'f' }],
  ['t --no-session-registry', { noSessionRegistry: true }],
];

describe('a run takes', () => {
  it.each(taken)('%s', (line, options) => {
    expect(parseArguments(line.split(' '))).toMatchObject({ kind: 'run', options });
  });
});

describe('instead of a run there is', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    [
      '--validate a.yaml --strict --json --verbose --project p',
      {
        kind: 'validate',
        options: { file: 'a.yaml', strict: true, json: true, verbose: true, project: 'p' },
      },
    ],
    ['--list-examples --json', { kind: 'list-examples', options: { json: true } }],
    ['--example basic', { kind: 'example', name: 'basic' }],
    ['--list-backends', { kind: 'list-backends', options: { json: false } }],
    ['--list-sessions --all --json', { kind: 'list-sessions', options: { all: true, json: true } }],
    [
      '--show-schema --schema-backend claude --with-examples',
      { kind: 'show-schema', options: { backend: 'claude', withExamples: true } },
    ],
    ['--setup', { kind: 'setup' }],
    ['--init', { kind: 'init' }],
    [
      '--quickstart --headless --config x.yaml --quickstart-agent id=a --quickstart-agent id=b',
      {
        kind: 'quickstart',
        options: { headless: true, config: 'x.yaml', agents: ['id=a', 'id=b'] },
      },
    ],
    [
      '--generate-config p.yaml --config-backend claude --config-model m --config-agents 2 --config-agent-id a --config-docker --config-context-path c --force',
      {
        kind: 'generate-config',
        options: {
          ...{ path: 'p.yaml', backend: 'claude', model: 'm', agents: '2', agentId: 'a' },
          ...{ isDocker: true, contextPath: 'c', force: true },
        },
      },
    ],
    ['logs tools --sort calls', { kind: 'logs', options: { what: 'tools', sort: 'calls' } }],
    ['export latest --dry-run', { kind: 'export', run: 'latest', options: { dryRun: true } }],
    ['export', { kind: 'export', run: undefined }],
    ['viewer', { kind: 'viewer', run: undefined, options: { force: false, open: false } }],
    [
      'viewer 2026 --output a.html --force --open',
      { kind: 'viewer', run: '2026', options: { output: 'a.html', force: true, open: true } },
    ],
    ['--help', { kind: 'help', about: 'short' }],
    ['--help config', { kind: 'help', about: 'config' }],
    ['help Exit codes', { kind: 'help', about: 'exit-codes' }],
    ['help', { kind: 'help', about: 'short' }],
    ['runs --help', { kind: 'help', about: 'runs' }],
    ['--automation --help', { kind: 'help', about: 'short' }],
    ['--config a --model b --help', { kind: 'help', about: 'short' }],
    ['--validate x --version', { kind: 'version' }],
  ])('%s', (line, invocation) => {
    const args = line === 'help Exit codes' ? ['help', 'Exit codes'] : line.split(' ');
    expect(parseArguments(args)).toMatchObject(invocation);
  });
});

describe('the tables', () => {
  it('name only options that there are', () => {
    const names = optionsOf('run').map(({ name }) => name);
    const mentioned = [
      ...conflicts.flatMap(({ one, other }) => [...one, ...other]),
      ...optionsOf('run').flatMap(({ goesWith = [] }) => goesWith),
    ];
    expect(mentioned.filter((name) => !names.includes(name))).toEqual([]);
    expect(namesElsewhere.filter((name) => names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('refuse each pair that excludes one another, in both orders', () => {
    for (const { one, other } of conflicts) {
      for (const first of one) {
        for (const second of other.filter((name) => name !== first)) {
          for (const pair of [
            [first, second],
            [second, first],
          ]) {
            const args = pair.flatMap((name) => lineOf(name));
            expect([args, refusalOf(['t', ...args])?.code]).toEqual([args, 1]);
          }
        }
      }
    }
  });
});

function lineOf(name: string): readonly string[] {
  const info = optionsOf('run').find((option) => option.name === name);
  return info?.value === undefined ? [`--${name}`] : [`--${name}=${info.choices?.[0] ?? 'x'}`];
}
