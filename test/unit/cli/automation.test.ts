// What scripts read: the whole of standard output, byte for byte, from the command as it ships.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finished, installCli, type InstalledCli, printed } from '../../support/built-cli';
import { CliStage, words } from '../../support/cli-stage';
import type { ScriptedAnswer } from '../../support/fake-model-service/script';

let install: InstalledCli;
let stage: CliStage;

beforeAll(async () => {
  install = await installCli();
});
beforeEach(() => {
  stage = new CliStage(install);
});
afterEach(async () => {
  await stage.close();
});

interface Status {
  readonly schema_version: number;
  readonly meta: { readonly elapsed_seconds: number; readonly last_updated: number };
  readonly coordination: { readonly completion_percentage: number };
  readonly finish_reason: string;
  readonly is_complete: boolean;
  readonly is_partial: boolean;
}

function status(turnDir: string): Status {
  return JSON.parse(readFileSync(join(turnDir, 'status.json'), 'utf8')) as Status;
}

/** Folders of sessions, oldest first. */
function logDirs(): readonly string[] {
  const logs = join(stage.storage, 'massgen_logs');
  return readdirSync(logs)
    .filter((name) => name.startsWith('log_'))
    .sort()
    .map((name) => join(logs, name));
}

interface Expected {
  readonly task: string;
  readonly turn?: number;
  readonly restarts?: readonly string[];
  /** Between the empty lines; `DURATION` stands for its line. */
  readonly facts: readonly string[];
  readonly agents: number;
  readonly outputFile?: string;
}

/** The whole of standard output, from the folder and the time that the run left behind. */
function output(logDir: string, expected: Expected): string {
  const { task, turn = 1, restarts = [], facts, agents, outputFile } = expected;
  const dir = join(logDir, `turn_${turn}`);
  const seconds = `${status(dir).meta.elapsed_seconds.toFixed(1)}s`;
  return [
    `LOG_DIR: ${logDir}`,
    `STATUS: ${join(dir, 'status.json')}`,
    `RUNTIME_INBOX: ${join(dir, 'inbox')}`,
    `QUESTION: ${task}`,
    '[Coordination in progress - monitor status.json for real-time updates]',
    ...restarts,
    '',
    ...facts.map((line) =>
      line === 'DURATION'
        ? `DURATION: ${seconds}`
        : line.replace('ANSWER_FILE: ', `ANSWER_FILE: ${dir}/`),
    ),
    '',
    `COMPLETED: ${agents} agents, ${seconds} total`,
    ...(outputFile === undefined ? [] : [`OUTPUT_FILE: ${outputFile}`]),
    '',
  ].join('\n');
}

const recommended = 'orchestrator: {profile: recommended, consensus: {stop: full}}\n';
const finalText = 'It is blue.\nSee \\ the sky.';
const blue = [
  words.vote('Green.', 'agent1', 'Because it is seen by everybody who looks up on a clear day.'),
  words.present('Blue.', finalText),
  words.answer('Blue.'),
];
const green = [words.vote('Blue.', 'agent1'), words.answer('Green.')];

describe('massgen --automation', () => {
  it('prints exactly the documented lines of a run that ends well', async () => {
    const { file } = await stage.team({ a: blue, b: green }, recommended);
    const target = join(stage.home, 'answer.txt');
    const task = 'Which\ncolor?';
    const result = await stage.massgen(
      task,
      '--config',
      file,
      '--automation',
      '--output-file',
      target,
    );
    expect(result.code).toBe(0);
    const [logDir = ''] = logDirs();
    expect(result.output).toBe(
      output(logDir, {
        task: 'Which\\ncolor?',
        facts: [
          'WINNER: a',
          'ANSWER_FILE: final/a/answer.txt',
          'DURATION',
          'ANSWER_PREVIEW: It is blue.\\nSee \\\\ the sky.',
        ],
        agents: 2,
        outputFile: target,
      }),
    );
    expect(readFileSync(target, 'utf8')).toBe(finalText);
    expect(status(join(logDir, 'turn_1'))).toMatchObject({
      schema_version: 2,
      finish_reason: 'completed',
      is_complete: true,
    });
  });

  it('adds answers, votes and their count with --timeline', async () => {
    const { file } = await stage.team({ a: blue, b: green }, recommended);
    const result = await stage.massgen('Which?', '--config', file, '--automation', '--timeline');
    const lines = result.output.split('\n');
    const from = lines.indexOf('TIMELINE');
    expect(lines[from - 1]).toMatch(/^DURATION: /);
    const block = lines.slice(
      from,
      lines.findIndex((line) => line.startsWith('ANSWER_PREVIEW')),
    );
    expect(block.toSorted()).toEqual([
      'TIMELINE',
      '[ANSWER] a: agent1.1',
      '[ANSWER] b: agent2.1',
      '[RESULTS] agent1.1 2 (winner)',
      '[VOTE] a -> a (agent1.1): Because it is seen by everybody who looks up on a ...',
      '[VOTE] b -> a (agent1.1): It is right.',
    ]);
    expect(block.at(-1)).toBe('[RESULTS] agent1.1 2 (winner)');
  });

  it('says when the team starts anew, and why', async () => {
    const anew: ScriptedAnswer = {
      when: { offersTool: 'restart_orchestration' },
      isRepeated: true,
      steps: [
        {
          kind: 'tool-call',
          name: 'restart_orchestration',
          arguments: { reason: 'Days are\nmissing.', instructions: 'Add days.' },
        },
      ],
    };
    const { file } = await stage.team(
      { a: [anew, ...blue], b: [anew, ...green] },
      'orchestrator: {profile: recommended, consensus: {stop: full}, coordination: {max_orchestration_restarts: 1}}\n',
    );
    const result = await stage.massgen('Which?', '--config', file, '--automation');
    const [logDir = ''] = logDirs();
    expect(result.output).toBe(
      output(logDir, {
        task: 'Which?',
        restarts: ['RESTART: Attempt 2/2: Days are\\nmissing.'],
        facts: [
          'WINNER: a',
          'ANSWER_FILE: final/a/answer.txt',
          'DURATION',
          'ANSWER_PREVIEW: It is blue.\\nSee \\\\ the sky.',
        ],
        agents: 2,
      }),
    );
    expect(result.code).toBe(0);
  });

  it('has no winner and leaves with 2 when the team does not agree', async () => {
    const own = (shown: string, agent: string, answer: string) => [
      words.vote(shown, agent),
      words.answer(answer),
    ];
    const { file } = await stage.team(
      { a: own('Green.', 'agent1', 'Blue.'), b: own('Blue.', 'agent2', 'Green.') },
      'orchestrator: {profile: recommended, consensus: {rule: unanimity, on_split: fail, self_vote: allow}}\n',
    );
    const result = await stage.massgen('Which?', '--config', file, '--automation');
    const [logDir = ''] = logDirs();
    expect(result.output).toBe(output(logDir, { task: 'Which?', facts: ['DURATION'], agents: 2 }));
    expect(result.code).toBe(2);
    expect(status(join(logDir, 'turn_1'))).toMatchObject({ finish_reason: 'error' });
  });

  it('leaves with 3 when the time is up, without and with an answer', async () => {
    const limits = `${recommended}limits: {duration_minutes: 0.02}\n`;
    const nothing = await stage.team({ a: [words.hang], b: [words.hang] }, limits);
    const without = await stage.massgen('Which?', '--config', nothing.file, '--automation');
    const [first = ''] = logDirs();
    expect(without.output).toBe(output(first, { task: 'Which?', facts: ['DURATION'], agents: 2 }));
    expect(without.code).toBe(3);
    const partial = await stage.team({ a: [words.answer('Blue.')], b: [words.hang] }, limits);
    const withOne = await stage.massgen('Which?', '--config', partial.file, '--automation');
    const [, second = ''] = logDirs();
    expect(withOne.output).toBe(
      output(second, {
        task: 'Which?',
        facts: [
          'WINNER: a',
          'ANSWER_FILE: final/a/answer.txt',
          'DURATION',
          'ANSWER_PREVIEW: Blue.',
        ],
        agents: 2,
      }),
    );
    expect(withOne.code).toBe(3);
    expect(status(join(second, 'turn_1'))).toMatchObject({
      finish_reason: 'timeout',
      is_partial: true,
    });
  });

  it('takes a cap that was reached for success when an answer was decided, and says budget', async () => {
    const limits = `${recommended}limits: {model_calls: 2}\n`;
    const two = await stage.team(
      { a: [words.answer('Blue.')], b: [words.answer('Green.')] },
      limits,
    );
    const decided = await stage.massgen('Which?', '--config', two.file, '--automation');
    const [first = ''] = logDirs();
    expect(decided.output).toMatch(/\nANSWER_PREVIEW: (Blue|Green)\.\n\nCOMPLETED: 2 agents/);
    expect(decided.code).toBe(0);
    expect(status(join(first, 'turn_1'))).toMatchObject({
      finish_reason: 'budget',
      is_partial: true,
    });
    const look = {
      isRepeated: true,
      steps: [{ kind: 'tool-call', name: 'list_directory', arguments: { path: '.' } }],
    } as const;
    const none = await stage.team({ a: [look], b: [look] }, limits);
    const undecided = await stage.massgen('Which?', '--config', none.file, '--automation');
    const [, second = ''] = logDirs();
    expect(undecided.output).toBe(
      output(second, { task: 'Which?', facts: ['DURATION'], agents: 2 }),
    );
    expect(undecided.code).toBe(2);
    expect(status(join(second, 'turn_1'))).toMatchObject({ finish_reason: 'budget' });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves with 4 after %s, with the last state on disk and nothing running',
    async (signal) => {
      const { file, service } = await stage.team({ a: [words.hang], b: [words.hang] });
      const child = stage.start(['Which?', '--config', file, '--automation']);
      const ended = finished(child);
      await service.arrived(2);
      child.kill(signal);
      const result = await ended;
      const [logDir = ''] = logDirs();
      expect(result.output).toBe(
        output(logDir, { task: 'Which?', facts: ['DURATION'], agents: 2 }),
      );
      expect(result.code).toBe(4);
      expect(status(join(logDir, 'turn_1'))).toMatchObject({
        is_complete: true,
        finish_reason: 'error',
        finish_reason_details: 'cancelled',
      });
      await service.settled();
    },
  );

  it.each([
    ['a wrong key', 'agents: [{id: a, backnd: {type: openai}}]\n', 'backnd'],
    [
      'a missing key',
      'agents: [{id: a, backend: {type: openai, model: gpt-5.4}}]\n',
      'OPENAI_API_KEY',
    ],
  ])('prints nothing on standard output and leaves with 1 for %s', async (_what, text, named) => {
    const file = join(stage.home, 'bad.yaml');
    writeFileSync(file, text);
    const result = await stage.massgen('Which?', '--config', file, '--automation');
    expect(result.output).toBe('');
    expect(result.notes).toContain(named);
    expect(result.code).toBe(1);
    expect(existsSync(join(stage.storage, 'massgen_logs'))).toBe(false);
  });

  it('asks nobody for a task and leaves with 1', async () => {
    const nothing = await stage.massgen('--automation');
    expect(nothing.output).toBe('');
    expect(nothing.code).toBe(1);
  });

  it('puts the files of each turn beside those of the turn before', async () => {
    const { file } = await stage.team({ a: blue, b: green }, recommended);
    const first = await stage.massgen('Which?', '--config', file, '--automation');
    const second = await stage.massgen('Why?', '--config', file, '--automation', '--continue');
    expect(second.code).toBe(0);
    const [logDir = '', ...others] = logDirs();
    expect(others).toEqual([]);
    const facts = [
      'WINNER: a',
      'ANSWER_FILE: final/a/answer.txt',
      'DURATION',
      'ANSWER_PREVIEW: It is blue.\\nSee \\\\ the sky.',
    ];
    expect(first.output).toBe(output(logDir, { task: 'Which?', facts, agents: 2 }));
    expect(second.output).toBe(output(logDir, { task: 'Why?', turn: 2, facts, agents: 2 }));
  });

  it('shows a reader of status.json nothing broken and nothing that goes back', async () => {
    const { file } = await stage.team({ a: blue, b: green }, recommended);
    const child = stage.start(['Which?', '--config', file, '--automation']);
    const ended = finished(child);
    const path = /^STATUS: (.+)$/m.exec(await printed(child, 'STATUS: '))?.[1] ?? '';
    let last = JSON.parse(readFileSync(path, 'utf8')) as Status;
    expect(last.is_complete).toBe(false);
    const over = { is: false };
    void ended.then(() => (over.is = true));
    do {
      await new Promise((resolve) => setImmediate(resolve));
      const next = JSON.parse(readFileSync(path, 'utf8')) as Status;
      expect(next.meta.last_updated).toBeGreaterThanOrEqual(last.meta.last_updated);
      expect(next.coordination.completion_percentage).toBeGreaterThanOrEqual(
        last.coordination.completion_percentage,
      );
      last = next;
    } while (!over.is);
    expect(last).toMatchObject({ is_complete: true, finish_reason: 'completed' });
  });
});
