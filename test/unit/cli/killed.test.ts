// The command line is killed while it plays; another process goes on from what is on the disk.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/create-app';
import { createDiskFiles } from '../../../src/app/disk-files';
import type { RecordedEvent } from '../../../src/run/events';
import type { RunState } from '../../../src/run/state';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../support/fake-model-service/fake-model-service';
import type { Condition, ScriptedAnswer } from '../../support/fake-model-service/script';
import { realClock } from '../../support/real-clock';
import { askEveryTime, silent } from '../../support/run-harness';

const root = join(import.meta.dirname, '../../..');
const signal = new AbortController().signal;

let home: string;
let install: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'massgen-killed-'));
  install = join(home, 'install');
  await mkdir(install);
  for (const part of ['media', 'configs', 'package.json']) {
    await symlink(join(root, part), join(install, part));
  }
  await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile: join(install, 'dist', 'cli.js'),
    logLevel: 'error',
  });
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

/** An answer to every request that is like this: one that is sent again gets the same. */
const whenever = (
  when: Condition,
  name: string,
  input: Readonly<Record<string, unknown>>,
): ScriptedAnswer => ({
  when,
  isRepeated: true,
  steps: [{ kind: 'tool-call', name, arguments: input }],
});

const models: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
  editor: [
    whenever({ lacks: 'Edited greeting.txt' }, 'edit_file', {
      path: 'greeting.txt',
      old_text: 'hello',
      new_text: 'good morning',
    }),
    whenever({ lacks: 'Now it is polite.' }, 'new_answer', { content: 'Now it is polite.' }),
  ],
  voter: [
    whenever({ lacks: 'I changed nothing.' }, 'new_answer', { content: 'I changed nothing.' }),
  ],
};
const vote = whenever({ contains: 'Now it is polite.', offersTool: 'vote' }, 'vote', {
  agent_id: 'agent1',
  reason: 'It is right.',
});
const present: ScriptedAnswer = {
  when: { contains: 'Now it is polite.', withholdsTool: 'vote' },
  isRepeated: true,
  steps: [{ kind: 'text', text: 'The greeting is polite.' }],
};

async function startService(): Promise<FakeModelService> {
  return startFakeModelService({
    models: Object.fromEntries(
      Object.entries(models).map(([model, answers]) => [
        model,
        {
          answers: [vote, present, ...answers],
          latency: { firstChunkMs: 120, perChunkMs: 0 },
        },
      ]),
    ),
  });
}

function teamText(baseUrl: string): string {
  const agents = Object.keys(models).flatMap((model) => [
    `  - id: ${model}`,
    '    backend:',
    '      type: chatcompletion',
    `      model: ${model}`,
    `      base_url: ${baseUrl}`,
  ]);
  return ['agents:', ...agents, 'orchestrator:', '  profile: recommended', ''].join('\n');
}

interface Place {
  readonly dir: string;
  readonly storage: string;
  readonly team: string;
  readonly service: FakeModelService;
}

async function place(): Promise<Place> {
  const dir = await mkdtemp(join(home, 'run-'));
  await mkdir(join(dir, 'project'));
  await writeFile(join(dir, 'project', 'greeting.txt'), 'hello\n');
  const service = await startService();
  await writeFile(join(dir, 'team.yaml'), teamText(service.baseUrl));
  return { dir, storage: join(dir, 'storage'), team: join(dir, 'team.yaml'), service };
}

function startCommand({ dir, storage, team }: Place): ChildProcess {
  const options = ['--config', team, '--trust-config', '--storage', storage];
  return spawn(
    process.execPath,
    [
      join(install, 'dist', 'cli.js'),
      ...options,
      '--project',
      join(dir, 'project'),
      'Make the greeting polite.',
    ],
    { cwd: dir, env: { PATH: process.env['PATH'], HOME: dir }, stdio: 'ignore' },
  );
}

/** The events that are on the disk now, with the id of their run. */
async function logOf({ storage }: Place): Promise<{ runId: string; events: RecordedEvent[] }> {
  const [runId = ''] = await readdir(join(storage, 'runs')).catch(() => []);
  const text = await readFile(join(storage, 'runs', runId, 'run.jsonl'), 'utf8').catch(() => '');
  const lines = text.split('\n').slice(1, -1);
  return { runId, events: lines.map((line) => JSON.parse(line) as RecordedEvent) };
}

async function killAfter(count: number, where: Place): Promise<void> {
  const child = startCommand(where);
  const closed = once(child, 'close');
  for (;;) {
    const { events } = await logOf(where);
    if (events.length >= count || child.exitCode !== null) {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGKILL');
  await closed;
}

async function goOn({ storage, team }: Place, runId: string): Promise<RunState> {
  const app = createApp({
    storageDir: storage,
    installDir: install,
    clock: realClock,
    logger: silent,
    secrets: { get: async () => undefined },
    extraBackends: [],
    liveFiles: createDiskFiles(),
    origin: 'cli',
  });
  try {
    const loaded = app.loadConfig(await readFile(team, 'utf8'), team);
    if (loaded.kind === 'problems') {
      throw new Error(JSON.stringify(loaded.problems));
    }
    const request = { config: loaded.config, unsaved: new Map(), commandPolicy: askEveryTime };
    const run = await app.resumeRun(runId, request, signal);
    const state = await run.ended;
    expect(await app.replayRun(runId, signal)).toMatchObject({ difference: null });
    return state;
  } finally {
    await app.close();
  }
}

const countOf = (events: readonly RecordedEvent[], type: string): number =>
  events.filter(({ event }) => event.type === type).length;

describe('a run whose process is killed', () => {
  it.each([5, 12, 20, 28])('after event %i is brought to its end by another', async (at) => {
    const where = await place();
    try {
      await killAfter(at, where);
      const { runId, events } = await logOf(where);
      expect(events.length).toBeGreaterThanOrEqual(at);
      expect(countOf(events, 'run-ended')).toBe(0);
      const before = where.service.journal.length;
      const state = await goOn(where, runId);
      expect(state.outcome).toBe('completed');
      expect(state.selection?.winner).toEqual({ slot: 1, label: 'agent1.1' });
      expect(state.finalAnswer?.text).toBe('The greeting is polite.');
      expect(state.review?.files.map(({ path }) => path)).toEqual(['greeting.txt']);
      const whole = await logOf(where);
      const calls = countOf(whole.events, 'model-call-ended');
      expect(where.service.journal.length - before).toBe(
        calls - countOf(events, 'model-call-ended'),
      );
      expect(state.agents.reduce((sum, { usage }) => sum + usage.calls, 0)).toBe(calls);
      expect(await readFile(join(where.dir, 'project', 'greeting.txt'), 'utf8')).toBe('hello\n');
      const left = await readdir(join(where.storage, 'runs', runId));
      expect(left.filter((name) => /^[0-9a-f]{16}$/.test(name))).toEqual([]);
    } finally {
      await where.service.close();
    }
  });
});
