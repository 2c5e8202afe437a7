// A whole run of the product over a service that checks every request.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../../src/app/app-contract';
import { createApp } from '../../../../src/app/create-app';
import { createDiskFiles } from '../../../../src/app/disk-files';
import {
  type FakeAnthropic,
  startFakeAnthropic,
} from '../../../support/fake-anthropic/fake-anthropic';
import type { ScriptedAnswer, Step } from '../../../support/fake-anthropic/script';
import { realClock } from '../../../support/real-clock';
import { askEveryTime, silent } from '../../../support/run-harness';
import { teamOf } from '../../../support/scripted-kind';
import { bodiesOf, contentsOf } from './claude-fixture';

const signal = new AbortController().signal;

let home: string;
let app: App;
let service: FakeAnthropic;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'massgen-claude-run-'));
  await mkdir(join(home, 'project'));
  await writeFile(join(home, 'project', 'greeting.txt'), 'hello\n');
  app = createApp({
    storageDir: join(home, 'storage'),
    installDir: join(import.meta.dirname, '../../../..'),
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
  await service.close();
  await rm(home, { recursive: true, force: true });
});

const thought: Step = { kind: 'thinking', text: 'Let me think.' };
const call = (name: string, input: Readonly<Record<string, unknown>>): Step => ({
  ...{ kind: 'tool-call', name, arguments: input },
});
const round = (...steps: readonly Step[]): ScriptedAnswer => ({ steps: [thought, ...steps] });
const read = call('read_file', { path: 'greeting.txt' });
const edit = call('edit_file', {
  ...{ path: 'greeting.txt', old_text: 'hello', new_text: 'good morning' },
});
const answer = (content: string): ScriptedAnswer => round(call('new_answer', { content }));
const vote = (agent: string): ScriptedAnswer =>
  round({ kind: 'text', text: 'I compare.' }, call('vote', { agent_id: agent, reason: 'Right.' }));

describe('a team of three lines of Claude', () => {
  it('works to its end, and every thought goes back where it stood', async () => {
    const models = {
      'claude-opus-5-5': [
        ...[round(read, read), round(edit), round(read), answer('Polite now.'), vote('agent1')],
        round({ kind: 'text', text: 'The greeting is polite.' }),
      ],
      'claude-haiku-4-5': [round(read), answer('Nothing to do.'), vote('agent1')],
      'claude-sonnet-5': [
        round({ kind: 'text', text: 'Hm.' }),
        answer('I do not know.'),
        vote('agent1'),
      ],
    };
    service = await startFakeAnthropic({ models, apiKeys: ['let-me-in-0042'] });
    const team = teamOf(Object.keys(models), {
      ...{ type: 'claude', apiKeyName: 'SERVICE_KEY' },
      options: { base_url: service.baseUrl, effort: 'low', temperature: 0.5 },
    });
    const run = await app.startRun(
      {
        task: 'Make the greeting polite.',
        // All calls of a script are made: nobody is left out of the vote, and no vote is refused.
        config: { ...team, settings: { ...team.settings, stop: 'full', selfVote: 'allow' } },
        folders: [{ name: 'project', path: join(home, 'project'), permission: 'write' }],
        unsaved: new Map(),
        commandPolicy: askEveryTime,
      },
      signal,
    );
    const state = await run.ended;
    expect(state.finalAnswer?.text).toBe('The greeting is polite.');
    expect(state.agents.map(({ usage }) => usage.unmeteredCalls)).toEqual([0, 0, 0]);
    expect(service.journal.map(({ outcome }) => outcome)).toEqual(
      service.journal.map(() => 'complete'),
    );
    // Each answer of the assistant in a request begins with the thought that it began with.
    const beginnings = bodiesOf(service).flatMap((body) =>
      contentsOf(body)
        .filter((_content, i) => i % 2 === 1)
        .map((content) => content[0]?.['type']),
    );
    expect(beginnings.length).toBeGreaterThan(6);
    expect(new Set(beginnings)).toEqual(new Set(['thinking']));
    const warnings = state.timeline.filter((entry) =>
      JSON.stringify(entry).includes('temperature'),
    );
    expect(warnings).toHaveLength(3);
  });
});
