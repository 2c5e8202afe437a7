// What a line comes to before anything is sent: the team with its changes, the task and the folders.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StartRunRequest } from '../../../src/app/app-contract';
import { parseArguments } from '../../../src/cli/arguments';
import { failureOf } from '../../../src/cli/failure';
import { withApp } from '../../../src/cli/open-app';
import { makePlan } from '../../../src/cli/plan';
import type { World } from '../../../src/cli/world';
import { projectRoot } from '../../support/built-cli';
import { tempFolder } from '../workspace/temp-project';

let cwd: string;
let home: string;
let teams: string;
let notes: string;

beforeEach(() => {
  [cwd, home, teams] = [tempFolder(), tempFolder(), tempFolder()];
  notes = '';
});

const never = new AbortController().signal;

function worldOf(args: readonly string[]): World {
  return {
    ...{ args, cwd, home, platform: 'linux', installDir: projectRoot, version: '1.2.3' },
    environment: { ANTHROPIC_API_KEY: 'key-1', OPENAI_API_KEY: 'key-2', GEMINI_API_KEY: 'key-3' },
    output: { write: () => undefined, hasColor: false, width: 100 },
    notes: { write: (text) => void (notes += text), hasColor: false, width: 100 },
    input: { stream: process.stdin, isInteractive: false },
    interrupted: never,
  };
}

async function planOf(...args: readonly string[]): Promise<StartRunRequest> {
  const invocation = parseArguments(args);
  if (invocation.kind !== 'run') {
    throw new Error('not a run');
  }
  const world = worldOf(args);
  const place = { storageDir: join(home, 'runs'), debug: false, isListed: false };
  return withApp(place, world, async (app) => {
    const plan = await makePlan(app, world, invocation.options);
    await plan.cleanUp();
    return plan.request;
  });
}

/** The whole text of the refusal. */
async function refusalOf(...args: readonly string[]): Promise<string> {
  const error: unknown = await planOf(...args).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { message, hint, exitCode } = failureOf(error);
  expect(exitCode).toBe(1);
  return [message, hint ?? []].flat().join('\n');
}

const trio = `agents:
  - { id: ann, backend: { type: claude, model: claude-sonnet-5-5 } }
  - { id: bob, backend: { type: openai, model: gpt-6.2-sol }, subtask: Write the tests. }
  - { id: cy, backend: { type: gemini, model: gemini-3.8-flash } }
orchestrator: { profile: recommended }
`;

/** Not in the folder that is worked on, where a file needs trust. */
function team(text = trio, name = 'team.yaml'): string {
  const file = join(teams, name);
  writeFileSync(file, text);
  return file;
}

describe('the team', () => {
  it('is that of the file, without a change when nothing is said', async () => {
    const { config } = await planOf('t', '--config', team());
    expect(config.agents.map(({ id }) => id)).toEqual(['ann', 'bob', 'cy']);
    expect(config.settings).toMatchObject({ mode: 'voting', maxNewAnswersPerAgent: 3 });
    expect(config.caps.durationMs).toBe(1_800_000);
  });

  it('can be one agent alone: the first, or the one that is named', async () => {
    const file = team();
    const idsOf = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await planOf('t', '--config', file, ...args)).config.agents.map(({ id }) => id);
    expect(await idsOf('--single-agent')).toEqual(['ann']);
    expect(await idsOf('--single-agent', 'cy')).toEqual(['cy']);
    expect(await refusalOf('t', '--config', file, '--single-agent', 'bop')).toBe(
      'The team has no agent bop. Did you mean bob?\nIts agents: ann, bob, cy. The first one is taken by --single-agent at the end of the line.',
    );
  });

  it('can be quick, and in less time', async () => {
    const args = ['t', '--config', team(), '--quick', '--orchestrator-timeout', '90'];
    const { config } = await planOf(...args);
    expect(config.settings.maxNewAnswersPerAgent).toBe(1);
    expect(config.settings.deferVotingUntilAllAnswered).toBe(true);
    expect(config.caps.durationMs).toBe(90_000);
  });

  it('can do parts of the task, each agent told its own, whatever the form of its file', async () => {
    const json = JSON.stringify({
      agents: [
        { id: 'ann', backend: { type: 'claude' }, subtask: 'Write the code.' },
        { id: 'bob', backend: { type: 'openai' }, subtask: 'Write the tests.' },
      ],
    });
    for (const file of [team(), team(json, 'team.json')]) {
      const mode = ['--coordination-mode', 'decomposition'];
      const { config } = await planOf('t', '--config', file, ...mode);
      expect(config.settings.mode).toBe('decomposition');
      expect(config.agents[1]?.systemMessage).toContain('Write the tests.');
    }
    const divided = team(
      trio.replace('recommended', 'recommended, coordination_mode: decomposition'),
    );
    const { config } = await planOf('t', '--config', divided, '--coordination-mode', 'parallel');
    expect(config.settings.mode).toBe('voting');
  });

  it('needs no file where models are named', async () => {
    const { config } = await planOf(
      ...['t', '--model', 'claude-sonnet-5-5', '--model', 'openai/gpt-6.2-sol'],
      ...['--system-message', 'Be brief.'],
    );
    expect(config.agents.map(({ backend: { type, model } }) => [type, model])).toEqual([
      ['claude', 'claude-sonnet-5-5'],
      ['openai', 'gpt-6.2-sol'],
    ]);
    expect(config.agents.map(({ systemMessage }) => systemMessage)).toEqual([
      'Be brief.',
      'Be brief.',
    ]);
    expect(config.settings.profile).toBe('recommended');
  });

  it('takes the usual model of a type, and refuses one that has none', async () => {
    const { config } = await planOf('t', '--backend', 'anthropic');
    expect(config.agents[0]?.backend).toMatchObject({ type: 'claude' });
    expect(await refusalOf('t', '--backend', 'chatcompletion')).toBe(
      'chatcompletion needs the name of a model.\nmassgen --list-backends lists the types.',
    );
    expect(await refusalOf('t', '--model', 'nobody-knows-this')).toContain('nobody-knows-this');
  });

  it('is told about with its warnings, or is not, or does not run with them', async () => {
    const file = team(`${trio}ui: { logging_enabled: false }\n`);
    await planOf('t', '--config', file);
    expect(notes).toContain('logging_enabled');
    notes = '';
    await planOf('t', '--config', file, '--skip-validation');
    expect(notes).toBe('');
    expect(await refusalOf('t', '--config', file, '--strict-validation')).toMatch(
      /^With --strict-validation warnings stop the run:\n.*: warning: .*logging_enabled/s,
    );
  });

  it('with errors never runs, also not with --skip-validation, and all are told at once', async () => {
    const file = team(
      trio.replace('claude-sonnet-5-5', '5').replace('type: openai', 'type: opnai'),
    );
    const refusal = await refusalOf('t', '--config', file, '--skip-validation');
    expect(refusal.match(/: error: /g)).toHaveLength(2);
  });

  it('is the first that is there: of the project, then of the user', async () => {
    mkdirSync(join(home, '.config/massgen'), { recursive: true });
    writeFileSync(join(home, '.config/massgen/config.yaml'), trio);
    expect((await planOf('t')).config.agents).toHaveLength(3);
    mkdirSync(join(cwd, '.massgen'));
    writeFileSync(join(cwd, '.massgen/config.yaml'), trio.replace(/^.*id: cy.*\n/m, ''));
    expect((await planOf('t', '--trust-config')).config.agents).toHaveLength(2);
  });

  it('must be named where none is there', async () => {
    const refusal = await refusalOf('t');
    expect(refusal).toContain('No default configuration found.');
    expect(refusal).toContain(`${cwd}/.massgen/config.yaml, ${home}/.config/massgen/config.yaml`);
  });
});

describe('the task', () => {
  it('is that of the team file where the line has none', async () => {
    const file = team(`${trio}prompt: Tidy up.\n`);
    expect((await planOf('--config', file, '--automation')).task).toBe('Tidy up.');
    expect((await planOf('Mine.', '--config', file)).task).toBe('Mine.');
  });

  it('must be there for a script', async () => {
    const text =
      'There is no task.\nWith --automation nobody is asked; give the task in quotes: massgen --automation "Fix the failing test".';
    expect(await refusalOf('--automation', '--config', team())).toBe(text);
    expect(await refusalOf('--automation')).toBe(text);
    expect(await refusalOf('--stream-events')).toBe(text);
  });

  it('is that of the demonstration where that is wanted, also for a script', async () => {
    const { task, folders } = await planOf('--demo', '--automation');
    expect(task).toContain('parseDuration');
    expect(folders.map(({ name }) => name)).toEqual(['sample-project']);
    expect(await refusalOf('--demo', '--config', team())).toBe(
      'The demonstration needs a team of the type offline.',
    );
  });
});

describe('the folders', () => {
  const foldersOf = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await planOf(...args, '--config', team())).folders.map(
      ({ path, permission }) => `${path.replace(cwd, 'CWD')} ${permission}`,
    );

  it('are none without a word', async () => {
    expect(await foldersOf('t')).toEqual([]);
  });

  it('are what the task names, and the task reads on as a sentence', async () => {
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'notes.md'), '');
    expect(await foldersOf('Bring @src:w in line with @notes.md.')).toEqual([
      'CWD/src write',
      'CWD/notes.md read',
    ]);
    const { task } = await planOf('Bring @src:w in line with @notes.md.', '--config', team());
    expect(task).toBe('Bring src in line with notes.md.');
  });

  it('are not looked for in the task where that is not wanted', async () => {
    const args = ['Add @Override', '--config', team()];
    expect(await refusalOf(...args)).toContain('There is no file or folder Override');
    const { task, folders } = await planOf(...args, '--no-parse-at-references');
    expect([task, folders]).toEqual(['Add @Override', []]);
  });

  it.each([
    ['ro', 'read'],
    ['write', 'write'],
  ])('have the current one with --cwd-context %s', async (way, permission) => {
    expect(await foldersOf('t', '--cwd-context', way)).toEqual([`CWD ${permission}`]);
  });
});
