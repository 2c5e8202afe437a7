import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App, RunHandle } from '../../../src/app/app-contract';
import { createApp } from '../../../src/app/create-app';
import { createDiskFiles } from '../../../src/app/disk-files';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../support/fake-model-service/fake-model-service';
import type { JournalEntry } from '../../support/fake-model-service/journal';
import type { ScriptedAnswer, ServiceScript, Step } from '../../support/fake-model-service/script';
import { findLeaksInText } from '../../support/leak-scan';
import { realClock } from '../../support/real-clock';
import { askEveryTime, silent } from '../../support/run-harness';
import { teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;
const task = 'Make the greeting polite.';

let home: string;
let app: App;
let service: FakeModelService | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'massgen-http-'));
  await mkdir(join(home, 'project'));
  await writeFile(join(home, 'project', 'greeting.txt'), 'hello\n');
  app = createApp({
    storageDir: join(home, 'storage'),
    installDir: join(import.meta.dirname, '../../..'),
    clock: realClock,
    logger: silent,
    secrets: { get: async (name) => (name === 'SERVICE_KEY' ? 'let-me-in-0042' : undefined) },
    extraBackends: [],
    liveFiles: createDiskFiles(),
    origin: 'cli',
  });
});

afterEach(async () => {
  await app.close();
  await service?.close();
  service = undefined;
  await rm(home, { recursive: true, force: true });
});

const call = (name: string, input: string | Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: input,
});
const calls = (
  name: string,
  input: string | Readonly<Record<string, unknown>>,
): ScriptedAnswer => ({ steps: [call(name, input)] });
const answer = (content: string): ScriptedAnswer => calls('new_answer', { content });
const vote = (agent: string): ScriptedAnswer =>
  calls('vote', { agent_id: agent, reason: 'It is right.' });
const text = (words: string): ScriptedAnswer => ({ steps: [{ kind: 'text', text: words }] });

async function start(
  models: Readonly<Record<string, readonly ScriptedAnswer[]>>,
  rest: Omit<ServiceScript, 'models'> = {},
): Promise<RunHandle> {
  service = await startFakeModelService({
    ...rest,
    models: Object.fromEntries(
      Object.entries(models).map(([model, answers]) => [model, { answers }]),
    ),
  });
  const team = teamOf(Object.keys(models), {
    type: 'chatcompletion',
    apiKeyName: 'SERVICE_KEY',
    options: { base_url: service.baseUrl },
  });
  // All calls of a script are made: nobody is left out of the vote, and no vote is refused.
  const config: typeof team = {
    ...team,
    settings: { ...team.settings, stop: 'full', selfVote: 'allow' },
  };
  return app.startRun(
    {
      task,
      config,
      folders: [{ name: 'project', path: join(home, 'project'), permission: 'write' }],
      unsaved: new Map(),
      commandPolicy: askEveryTime,
    },
    signal,
  );
}

const edit = calls('edit_file', {
  path: 'greeting.txt',
  old_text: 'hello',
  new_text: 'good morning',
});

/** What a model could read of a request: not its own words, not the name by which it is addressed. */
function readable({ body }: JournalEntry): string {
  const { messages, tools } = body as {
    messages: { role: string; content: unknown }[];
    tools: unknown;
  };
  const told = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content);
  return [
    ...told.map((content) => (typeof content === 'string' ? content : '')),
    JSON.stringify(tools),
  ].join('\n');
}

describe('a team over real HTTP', () => {
  it('does the task, and no request tells who the others are', async () => {
    const run = await start({
      'opal-9': [edit, answer('Polite now.'), vote('agent1'), text('The greeting is polite.')],
      'quartz-2': [answer('Nothing to do.'), vote('agent1')],
      'onyx-mini': [answer('I do not know.'), vote('agent1')],
    });
    const state = await run.ended;
    expect(state.outcome).toBe('completed');
    expect(state.finalAnswer?.text).toBe('The greeting is polite.');
    expect(state.agents.map(({ usage }) => usage.unmeteredCalls)).toEqual([0, 0, 0]);
    const journal = service?.journal ?? [];
    expect(journal.map(({ outcome }) => outcome)).toEqual(journal.map(() => 'complete'));
    expect(journal).toHaveLength(8);
    const agents = state.agents.map(({ info }) => ({ ...info, folders: [] }));
    const allowed = [
      task,
      ...state.agents.flatMap(({ revisions }) => revisions.map((r) => r.text)),
    ];
    const leaks = journal.flatMap((entry) => {
      const slot = state.agents.findIndex(({ info }) => info.model === entry.model) + 1;
      return findLeaksInText(slot, readable(entry), { agents, allowed });
    });
    expect(leaks).toEqual([]);
  });

  it('survives a cut stream, a busy service, empty choices, bad arguments and an unknown tool', async () => {
    const busy = {
      status: 429,
      headers: { 'retry-after-ms': '5' },
      body: { error: { message: 'Slow down.', type: 'rate_limit_error' } },
    };
    const run = await start({
      a: [
        { steps: [{ kind: 'text', text: 'Half a' }, { kind: 'cut' }] },
        busy,
        { steps: [{ kind: 'empty-choices' }] },
        calls('read_file', '{"path": '),
        calls('launch', {}),
        edit,
        answer('Polite now.'),
        vote('agent1'),
        text('Done.'),
      ],
      b: [{ status: 500, body: 'oops' }, answer('Nothing.'), vote('agent1')],
    });
    const state = await run.ended;
    expect(state.agents.map(({ status }) => status)).not.toContain('failed');
    expect(state.finalAnswer?.text).toBe('Done.');
    expect(state.review?.files.map(({ path }) => path)).toEqual(['greeting.txt']);
  });

  it('goes on without an agent whose key is refused, and keeps the key out of everything', async () => {
    const refused: ScriptedAnswer = {
      status: 401,
      body: {
        error: { message: 'Incorrect API key provided: let-me-in-0042.', code: 'invalid_api_key' },
      },
    };
    const run = await start({
      a: [refused, refused, refused],
      b: [answer('Done.'), vote('agent2'), text('Final.')],
    });
    const state = await run.ended;
    expect(state.agents[0]).toMatchObject({
      status: 'failed',
      lastError: { code: 'backend/auth' },
    });
    expect(state.outcome).toBe('completed');
    const log = await readFile(join(home, 'storage', 'runs', state.runId, 'run.jsonl'), 'utf8');
    const lines = await readFile(join(home, 'storage', 'massgen.log'), 'utf8').catch(() => '');
    expect(`${log}${lines}${JSON.stringify(state)}`).not.toContain('let-me-in');
  });

  it('really closes its connections when it is stopped', async () => {
    const run = await start({
      a: [{ steps: [{ kind: 'text', text: 'Thinking' }, { kind: 'hang' }] }],
      b: [{ steps: [{ kind: 'hang' }] }],
    });
    await service?.arrived(2);
    run.stop();
    expect((await run.ended).outcome).toBe('cancelled');
    await service?.settled();
    expect(service?.journal.map(({ outcome }) => outcome)).toEqual([
      'client-closed',
      'client-closed',
    ]);
  });
});
