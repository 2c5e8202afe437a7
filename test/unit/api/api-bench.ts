// Calls as a program makes them, over a project and a home of their own, with a model service at the far end.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { RunOptions } from '../../../src/api/contract';
import type { RunEvent } from '../../../src/api/event-contract';
import type { TeamRun } from '../../../src/api/run-contract';
import { startTeamRun } from '../../../src/api/start-run';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer } from '../../support/fake-model-service/script';

export const installDir = join(import.meta.dirname, '../../..');
export const key = 'let-me-in-0042';

export const calls = (name: string, input: Readonly<Record<string, unknown>>): ScriptedAnswer => ({
  steps: [{ kind: 'tool-call', name, arguments: input }],
});
export const answer = (content: string): ScriptedAnswer => calls('new_answer', { content });
const vote = (agent: string): ScriptedAnswer =>
  calls('vote', { agent_id: agent, reason: 'It is right.' });
const words = (text: string): ScriptedAnswer => ({ steps: [{ kind: 'text', text }] });
const edit = calls('edit_file', {
  path: 'greeting.txt',
  old_text: 'hello',
  new_text: 'good morning',
});

/** One agent changes the greeting, the other one only looks; both vote for the change. */
export const politeScripts = {
  a: [edit, answer('Now it is polite.'), vote('agent1'), words('It says good morning.')],
  b: [answer('I changed nothing.'), vote('agent1')],
};

export class ApiBench {
  home = '';
  project = '';
  readonly #services: FakeModelService[] = [];

  /** Content of a team file with one agent for each script. */
  async team(
    scripts: Readonly<Record<string, readonly ScriptedAnswer[]>> = politeScripts,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const service = await startFakeModelService({
      apiKeys: [key],
      models: Object.fromEntries(
        Object.entries(scripts).map(([model, answers]) => [model, { answers }]),
      ),
    });
    this.#services.push(service);
    const backend = {
      type: 'chatcompletion',
      base_url: service.baseUrl,
      api_key: '${SERVICE_KEY}',
    };
    return {
      agents: Object.keys(scripts).map((model) => ({
        id: `member_${model}`,
        backend: { ...backend, model },
      })),
      orchestrator: {
        profile: 'recommended',
        consensus: { early_stop: false },
        ...more,
      },
    };
  }

  /** What every call needs here: nothing of the machine that runs the tests. */
  get place(): RunOptions {
    return {
      cwd: this.project,
      storageDir: join(this.home, 'storage'),
      env: { HOME: this.home, PATH: process.env['PATH'] },
      keys: { SERVICE_KEY: key },
      contextPaths: ['.'],
    };
  }

  run(task: string, options: RunOptions): TeamRun {
    return startTeamRun(task, { ...this.place, ...options }, installDir);
  }

  async open(): Promise<void> {
    this.home = await mkdtemp(join(tmpdir(), 'massgen-api-'));
    this.project = join(this.home, 'project');
    await mkdir(this.project);
    await writeFile(join(this.project, 'greeting.txt'), 'hello\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.close()));
    await rm(this.home, { recursive: true, force: true });
  }
}

/** To be called where a file of tests begins. */
export function apiBench(): ApiBench {
  const bench = new ApiBench();
  beforeEach(() => bench.open());
  afterEach(() => bench.close());
  return bench;
}

export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) {
    events.push(event);
  }
  return events;
}
