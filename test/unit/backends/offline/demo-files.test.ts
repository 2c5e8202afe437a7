import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunHarness } from '../../../support/run-harness';
import { demo, plainCourse, play } from './demo-stage';

const run = promisify(execFile);

interface Outcome {
  readonly passed: number;
  readonly failed: readonly string[];
}

/** Runs the sample's own tests on these files. */
async function testFiles(files: ReadonlyMap<string, string>): Promise<Outcome> {
  const dir = await mkdtemp(join(tmpdir(), 'massgen-sample-'));
  try {
    for (const [path, text] of files) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    // A fresh environment: the runner of these tests marks its own for child processes.
    const options = { cwd: dir, env: { PATH: process.env['PATH'] } };
    const args = ['--test', '--test-reporter=tap'];
    const output = await run(process.execPath, args, options).then(
      ({ stdout }) => stdout,
      // A failing test makes the command fail; what it printed comes with the error.
      (error: unknown) =>
        error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error),
    );
    return {
      passed: Number(/^# pass (\d+)$/m.exec(output)?.[1]),
      failed: [...output.matchAll(/^ *not ok \d+ - (.+)$/gm)]
        .map((match) => match[1] ?? '')
        .filter((name) => !name.endsWith('.js')),
    };
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('the files of the demonstration', () => {
  let harness: RunHarness;

  beforeAll(async () => {
    harness = await play(plainCourse);
  });

  async function outcomeOf(label: string): Promise<Outcome> {
    const revisions = harness.record.state.agents.flatMap((agent) => agent.revisions);
    const id = revisions.find((revision) => revision.label === label)?.snapshotId ?? '';
    return testFiles(harness.workspaces.snapshots.get(id) ?? new Map());
  }

  it('begin with 13 tests that pass and the two that the task is about', async () => {
    expect(await testFiles(harness.workspaces.base)).toEqual({
      passed: 13,
      failed: ['adds up hours and minutes', 'adds up all four units'],
    });
  });

  it.each([
    ['agent1.1', 15, []],
    ['agent2.1', 14, ['allows a space before the unit']],
    ['agent3.1', 15, []],
    ['agent2.2', 17, []],
  ])('are as right in %s as the agents say', async (label, passed, failed) => {
    expect(await outcomeOf(label)).toEqual({ passed, failed });
  });
});

describe('the recording that ships', () => {
  it('is what its script makes', async () => {
    const { stdout } = await run(process.execPath, ['scripts/make-demo-recording.mjs', '--stdout']);
    expect(await readFile('media/offline/demo.jsonl', 'utf8')).toBe(stdout);
  });

  it('lists every command that its agents and checks run, with its hash', async () => {
    const text = await readFile('media/offline/demo.jsonl', 'utf8');
    const commands = demo.calls
      .flatMap((call) => call.toolCalls)
      .filter((call) => call.name === 'run_command')
      .map((call) => /"command":"([^"]+)"/.exec(call.argumentsJson)?.[1] ?? '');
    const team = await readFile('configs/offline.yaml', 'utf8');
    const checks = [...team.matchAll(/^ {4}command: (.+)$/gm)].map(([, command = '']) => command);
    expect(checks.length).toBeGreaterThan(0);
    const listed = [...new Set([...commands, ...checks])].map((command) => ({
      command,
      hash: createHash('sha256').update(command).digest('hex'),
    }));
    expect(listed.length).toBeGreaterThan(0);
    expect(text.slice(0, text.indexOf('\n'))).toContain(`"commands":${JSON.stringify(listed)}`);
  });
});
