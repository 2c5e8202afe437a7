import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type CommandQuestion, RunError } from '../../../src/api/contract';
import { answer, apiBench, calls, eventsOf, key, politeScripts } from './api-bench';

const task = 'Make the greeting polite.';
const bench = apiBench();

const failure = async (run: PromiseLike<unknown>): Promise<RunError> => {
  try {
    await run;
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
};

describe('the result of a run', () => {
  it('has the final answer, the votes, the costs and the proposed files', async () => {
    const result = await bench.run(task, { config: await bench.team() });
    expect(result).toMatchObject({
      outcome: 'completed',
      finalAnswer: 'It says good morning.',
      winner: { agent: 'member_a', label: 'agent1.1' },
      error: null,
    });
    expect(result.agreement).toMatchObject({
      isConsensus: true,
      isUnanimous: true,
      decidedBy: 'rule',
      votes: [
        { votedFor: 'member_a', label: 'agent1.1', reason: 'It is right.', isValid: true },
        { votedFor: 'member_a', label: 'agent1.1', reason: 'It is right.', isValid: true },
      ],
    });
    expect(result.agents.map(({ id, model, calls: made }) => [id, model, made])).toEqual([
      ['member_a', 'a', 4],
      ['member_b', 'b', 2],
    ]);
    expect(result.answers.map(({ agent, text }) => [agent, text])).toContainEqual([
      'member_b',
      'I changed nothing.',
    ]);
    expect(result.changes.files).toMatchObject([
      {
        ...{ root: 'project', path: 'greeting.txt', kind: 'modify', added: 1, removed: 1 },
        hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 }],
      },
    ]);
    expect(result.changes.patchText).toContain('-hello\n+good morning\n');
    expect(await readdir(result.logDirectory ?? '')).toContain('status.json');
  });

  it('leaves the files as they are until its changes are applied', async () => {
    const result = await bench.run(task, { config: await bench.team() });
    const file = join(bench.project, 'greeting.txt');
    expect(await readFile(file, 'utf8')).toBe('hello\n');
    expect(result.changes.applied).toEqual([]);
    expect(await result.changes.apply()).toMatchObject([
      { root: 'project', path: 'greeting.txt', outcome: 'done' },
    ]);
    expect(await readFile(file, 'utf8')).toBe('good morning\n');
    expect(await result.changes.apply()).toEqual([]);
  });

  it('refuses to apply a file that is not among its changes', async () => {
    const { changes } = await bench.run(task, { config: await bench.team() });
    const error = await failure(changes.apply([{ root: 'project', path: 'other.txt' }]));
    expect(error).toMatchObject({
      code: 'config/invalid',
      message: 'project/other.txt is not in this change set.',
    });
  });

  it('is written and applied where the options say so', async () => {
    const result = await bench.run(task, {
      config: await bench.team(),
      apply: true,
      outputFile: 'answer.txt',
    });
    expect(result.changes.applied).toMatchObject([{ path: 'greeting.txt', outcome: 'done' }]);
    expect(await readFile(join(bench.project, 'greeting.txt'), 'utf8')).toBe('good morning\n');
    expect(await readFile(join(bench.project, 'answer.txt'), 'utf8')).toBe(
      'It says good morning.\n',
    );
  });

  it('leaves nothing on the disk without logging, and can then only be applied at once', async () => {
    const result = await bench.run(task, { config: await bench.team(), enableLogging: false });
    expect(result.logDirectory).toBeNull();
    expect(await readdir(bench.home)).toEqual(['project']);
    expect(result.changes.patchText).toContain('+good morning\n');
    expect(await failure(result.changes.apply())).toMatchObject({ code: 'config/invalid' });
  });

  it('goes on with a session', async () => {
    const first = await bench.run(task, { config: await bench.team() });
    const config = await bench.team({ a: [answer('Still polite.')] });
    const second = await bench.run('And now?', { config, session: first.sessionId });
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.runId).not.toBe(first.runId);
    const third = await bench.run('Again?', {
      config: await bench.team({ a: [answer('Yes.')] }),
      continue: true,
    });
    expect(third.sessionId).toBe(first.sessionId);
  });

  it('says when a limit of the caller ended the run', async () => {
    const result = await bench.run(task, {
      config: await bench.team(),
      limits: { modelCalls: 1 },
    });
    expect(result.outcome).toBe('budget');
  });

  it('holds no key, and neither do its files', async () => {
    const scripts = { a: [answer(`The key is ${key}.`)] };
    const result = await bench.run(task, { config: await bench.team(scripts) });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(result.finalAnswer).toBe('The key is [secret removed].');
  });
});

describe('events', () => {
  it('tell the whole course, from the start to the end', async () => {
    const run = bench.run(task, { config: await bench.team() });
    const events = await eventsOf(run);
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe('started');
    expect(types.at(-1)).toBe('ended');
    expect(new Set(types)).toEqual(
      new Set([
        ...['started', 'text', 'tool-started', 'tool-ended', 'answer', 'vote', 'decided'],
        ...['final-answer', 'changes', 'ended'],
      ]),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ type: 'vote', agent: 'member_b', votedFor: 'member_a', label: 'agent1.1' },
      }),
    );
    const numbers = events.map(({ seq }) => seq);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect((await run).outcome).toBe('completed');
  });

  it('can be read twice, and after the end', async () => {
    const run = bench.run(task, { config: await bench.team() });
    const first = await eventsOf(run);
    await run;
    expect(await eventsOf(run)).toEqual(first);
  });

  it('hold nothing up when their reader stops half way', async () => {
    const run = bench.run(task, { config: await bench.team() });
    for await (const { type } of run) {
      if (type === 'answer') break;
    }
    expect((await run).outcome).toBe('completed');
  });

  it('end with the error of the run', async () => {
    const run = bench.run(task, { config: { agents: [] } });
    expect(await failure(eventsOf(run))).toMatchObject({ code: 'config/invalid' });
  });
});

describe('a run that is stopped', () => {
  const endless = {
    a: [{ steps: [{ kind: 'hang' as const }] }],
  };

  it('rejects with what there is when its signal is aborted', async () => {
    const controller = new AbortController();
    const run = bench.run(task, { config: await bench.team(endless), signal: controller.signal });
    for await (const { type } of run) {
      if (type === 'started') break;
    }
    controller.abort(new Error('enough'));
    const error = await failure(run);
    expect(error).toMatchObject({ code: 'cancelled/user', cause: { message: 'enough' } });
    expect(error.result).toMatchObject({ outcome: 'cancelled', finalAnswer: null });
  });

  it('rejects at once when its signal was aborted before', async () => {
    const error = await failure(
      bench.run(task, { config: await bench.team(), signal: AbortSignal.abort() }),
    );
    expect(error.code).toBe('cancelled/user');
    expect(await readdir(bench.home)).toEqual(['project']);
  });

  it('resolves as cancelled when it is told to stop', async () => {
    const run = bench.run(task, { config: await bench.team(endless) });
    for await (const { type } of run) {
      if (type === 'started') break;
    }
    run.stop();
    expect((await run).outcome).toBe('cancelled');
  });
});

describe('the process of the caller', () => {
  it('is left as it was: nothing printed, no handler, no exit code', async () => {
    const written = [
      vi.spyOn(process.stdout, 'write').mockReturnValue(true),
      vi.spyOn(process.stderr, 'write').mockReturnValue(true),
    ];
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'uncaughtException'] as const;
    const before = signals.map((name) => process.listenerCount(name));
    try {
      await bench.run(task, { config: await bench.team() });
      expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
    } finally {
      written.forEach((spy) => spy.mockRestore());
    }
    expect(signals.map((name) => process.listenerCount(name))).toEqual(before);
    expect(process.exitCode).toBeUndefined();
  });

  it('can play several runs at once', async () => {
    const runs = await Promise.all(
      ['one', 'two', 'three'].map(async (text) =>
        bench.run(task, {
          config: await bench.team({ a: [answer(text)] }),
        }),
      ),
    );
    expect(runs.map(({ finalAnswer }) => finalAnswer)).toEqual(['one', 'two', 'three']);
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(3);
  });
});

describe('what nothing confines', () => {
  const asking = (isAllowed: boolean) => {
    const asked: CommandQuestion[] = [];
    const commandPolicy = (question: CommandQuestion): boolean => {
      asked.push(question);
      return isAllowed;
    };
    return { asked, commandPolicy };
  };
  const fetching = {
    a: [calls('fetch_url', { url: 'https://example.com/page' }), answer('Done.')],
  };

  it('waits for the word of the function that the caller gives', async () => {
    const { asked, commandPolicy } = asking(false);
    const run = bench.run(task, { config: await bench.team(fetching), commandPolicy });
    const decided = (await eventsOf(run)).filter(({ type }) => type === 'command-decided');
    expect(asked).toMatchObject([{ kind: 'request', agent: 'member_a' }]);
    expect(decided).toMatchObject([{ agent: 'member_a', isAllowed: false }]);
  });

  it('is refused when the function fails', async () => {
    const commandPolicy = (): never => {
      throw new Error('no idea');
    };
    const run = bench.run(task, { config: await bench.team(fetching), commandPolicy });
    const decided = (await eventsOf(run)).filter(({ type }) => type === 'command-decided');
    expect(decided).toMatchObject([{ isAllowed: false }]);
    expect((await run).outcome).toBe('completed');
  });

  it('is refused when nothing is said', async () => {
    const run = bench.run(task, { config: await bench.team(fetching) });
    const decided = (await eventsOf(run)).filter(({ type }) => type === 'command-decided');
    expect(decided).toMatchObject([{ isAllowed: false }]);
  });
});

describe('what cannot start', () => {
  it('names every problem of a team at once', async () => {
    const config = {
      agents: [{ id: 'a', backend: { type: 'chatcompletio', model: 'm' } }, { backend: {} }],
    };
    const error = await failure(bench.run(task, { config }));
    expect(error.code).toBe('config/invalid');
    expect(error.problems.length).toBeGreaterThan(1);
    expect(error.problems).toContainEqual(
      expect.objectContaining({
        ...{ severity: 'error', keyPath: 'agents[0].backend.type', suggestion: 'chatcompletion' },
      }),
    );
  });

  it('names the problems of a file with its lines', async () => {
    const file = join(bench.project, 'team.massgen.yaml');
    await writeFile(file, 'agents:\n  - id: a\n    backend: {type: openai, modle: x}\n');
    const error = await failure(bench.run(task, { config: 'team.massgen.yaml' }));
    expect(error).toMatchObject({ code: 'config/invalid' });
    expect(error.message).toContain(`${file}:3:`);
    expect(error.problems).toContainEqual(
      expect.objectContaining({ severity: 'error', file, line: 3, suggestion: 'model' }),
    );
    expect(error.message).toContain('model');
  });

  it.each([
    [{ config: 'none.yaml' }, /none\.yaml/],
    [{ config: {}, model: 'gpt-5.4' }, 'Give either config, or model, models and backend.'],
    [{ model: 'm', models: ['n'] }, 'Give either model or models.'],
    [{ session: 'x', continue: true }, 'Give either session or continue.'],
    [{ session: 'nothing' }, 'There is no session nothing.'],
    [{ limits: { costUsd: -1 } }, 'limits.costUsd must be a positive number or null.'],
    [{ cwd: '/nowhere/at/all' }, 'There is no folder /nowhere/at/all.'],
    [{ storageDir: 'storage' }, /Runs cannot be kept inside/],
  ])('says what is wrong with %o', async (options, message) => {
    const config = 'model' in options || 'config' in options ? {} : { config: await bench.team() };
    const error = await failure(bench.run(task, { ...config, ...options }));
    expect(error.code).toBe('config/invalid');
    expect(error.message).toMatch(message);
  });

  it('asks for a task', async () => {
    const error = await failure(bench.run('  ', { config: await bench.team() }));
    expect(error.message).toBe('The task is empty.');
  });

  it('names a key that is missing before anything is sent', async () => {
    const config = await bench.team(politeScripts);
    const error = await failure(bench.run(task, { config, keys: {} }));
    expect(error.code).toMatch(/^config\//);
    expect(`${error.message} ${error.hint ?? ''}`).toContain('SERVICE_KEY');
  });

  it('does not play a file of the project that nobody trusts', async () => {
    const file = join(bench.project, 'team.massgen.yaml');
    await writeFile(file, JSON.stringify(await bench.team(politeScripts)));
    const untrusted = await failure(bench.run(task, { config: 'team.massgen.yaml' }));
    expect(untrusted.message).toContain('lies inside the project');
    const trusted = await bench.run(task, { config: 'team.massgen.yaml', trustConfig: true });
    expect(trusted.outcome).toBe('completed');
  });

  it('waits for no vote when there is one agent', async () => {
    const config = await bench.team({ a: [answer('Alone.')] });
    expect((await bench.run(task, { config })).agents).toHaveLength(1);
  });
});
