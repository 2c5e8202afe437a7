// What callers in plain JavaScript can get wrong: nothing of it is passed over, and nothing fails in another way.
import { describe, expect, it } from 'vitest';
import { type RunOptions, RunError } from '../../../src/api/contract';
import { buildTeamConfig, startTeamRun } from '../../../src/api/start-run';
import { apiBench, installDir } from './api-bench';

const bench = apiBench();
const unchecked = (value: unknown): RunOptions => value as RunOptions;

async function failure(run: PromiseLike<unknown>): Promise<RunError> {
  const error: unknown = await Promise.resolve(run).then(
    () => new Error('the call did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof RunError) return error;
  throw error;
}

const cyclic: Record<string, unknown> = {};
cyclic['agents'] = cyclic;

describe('options that the contract does not have', () => {
  it.each<[unknown, string]>([
    [null, 'options must be an object.'],
    ['gpt-5.4', 'options must be an object.'],
    [[], 'options must be an object.'],
    [{ comandPolicy: 'deny' }, 'There is no option comandPolicy.'],
    [{ limits: { durationMS: 5 } }, 'There is no option limits.durationMS.'],
    [JSON.parse('{"__proto__": {"apply": true}}'), 'There is no option __proto__.'],
    [{ constructor: 1 }, 'There is no option constructor.'],
    [{ limits: { costUsd: 0 } }, 'limits.costUsd must be a positive number or null.'],
    [{ limits: { modelCalls: '5' } }, 'limits.modelCalls must be a positive number or null.'],
    [{ limits: null }, 'limits must be an object.'],
    [{ apply: 'false' }, 'apply must be true or false.'],
    [{ trustConfig: 1 }, 'trustConfig must be true or false.'],
    [{ enableLogging: 0 }, 'enableLogging must be true or false.'],
    [
      { commandPolicy: 'ask' },
      'commandPolicy must be deny, allow, a list of strings, or a function.',
    ],
    [{ config: null }, 'config must be a string, an object, or what buildConfig has answered.'],
    [{ config: 5 }, 'config must be a string, an object, or what buildConfig has answered.'],
    [{ config: cyclic }, 'config is no content of a team file.'],
    [
      { config: { agents: [], timeout_settings: { x: NaN } } },
      'A team file cannot hold the value of x in config.',
    ],
    [
      { config: { agents: [], hooks: () => 1 } },
      'A team file cannot hold the value of hooks in config.',
    ],
    [
      { contextPaths: [{ path: '.', permission: 'readonly' }] },
      'contextPaths must be a list of strings, or of objects with path, permission (read or write) and protectedPaths.',
    ],
    [
      { contextPaths: [{ path: '.', protected_paths: ['keys'] }] },
      'contextPaths must be a list of strings, or of objects with path, permission (read or write) and protectedPaths.',
    ],
    [{ keys: { A: 1 } }, 'keys must be a function, or an object with strings.'],
    [{ signal: { aborted: false } }, 'signal must be an AbortSignal.'],
    [{ cwd: 42 }, 'cwd must be a string.'],
    [{ checks: 'all' }, 'checks must be none or a list of strings.'],
    [{ numAgents: 1.5 }, 'numAgents must be a whole number from 1.'],
  ])('are named before anything is sent: %#', async (options, message) => {
    const error = await failure(startTeamRun('Do it.', unchecked(options), installDir));
    expect(error).toMatchObject({ code: 'config/invalid', message });
  });

  it('are answered with the likely name', async () => {
    const options = unchecked({ contextPath: ['.'] });
    const error = await failure(startTeamRun('Do it.', options, installDir));
    expect(error.hint).toBe('Did you mean contextPaths?');
  });

  it.each([undefined, null, 42, { trim: () => 'x' }])(
    'a task must be a string, not %s',
    async (task) => {
      const error = await failure(startTeamRun(task as unknown as string, {}, installDir));
      expect(error).toMatchObject({
        code: 'config/invalid',
        message: 'The task must be a string.',
      });
    },
  );

  it('are refused by buildConfig, too', async () => {
    const error = await failure(
      buildTeamConfig(unchecked({ model: 'gpt-5.4', agents: 3 }), installDir),
    );
    expect(error.message).toBe('There is no option agents.');
  });

  it('end the events as well', async () => {
    const run = startTeamRun('Do it.', unchecked({ nonsense: 1 }), installDir);
    await expect(run[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(RunError);
  });
});

describe('the content of a team as an object', () => {
  it('changes no other object, whatever its keys are', async () => {
    const team = JSON.stringify(await bench.team()).replace(
      '{',
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, ',
    );
    const config = JSON.parse(team) as Record<string, unknown>;
    const error = await failure(bench.run('Do it.', { config }));
    expect(error.code).toBe('config/invalid');
    expect(error.message).toContain('__proto__');
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(['constructor', 'toString'])(
    'finds no key that only looks like one: %s',
    async (name) => {
      const team = await bench.team();
      const config = JSON.parse(JSON.stringify(team).replaceAll('SERVICE_KEY', name)) as object;
      const options = { config: config as Record<string, unknown>, keys: {} };
      const error = await failure(bench.run('Do it.', options));
      expect(error.message).toContain(`There is no key under the name ${name}`);
    },
  );
});
