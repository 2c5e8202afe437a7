// How much the product adds to the time that the models themselves need: wall time of a whole run over real HTTP,
// divided by the time on the critical path as the service sent it. A bare client of the same service drives the same
// script beside it, to tell the product's share from the machine's.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import OpenAI from 'openai';
import type { StartRunRequest } from '../../src/app/app-contract';
import { createApp } from '../../src/app/create-app';
import { createDiskFiles } from '../../src/app/disk-files';
import { recommendedProfile } from '../../src/run/profiles';
import { startFakeModelService } from '../../test/support/fake-model-service/fake-model-service';
import type { JournalEntry } from '../../test/support/fake-model-service/journal';
import type { ModelScript, ServiceScript } from '../../test/support/fake-model-service/script';
import { realClock } from '../../test/support/real-clock';
import { askEveryTime, silent } from '../../test/support/run-harness';

const runsPerCase = 5;
const latency = { firstChunkMs: 200, perChunkMs: 20 };
const words = Array.from({ length: 40 }, (_unused, i) => `word${i}`).join(' ');
const root = resolve(import.meta.dirname, '..', '..');

export const cases = [3, 10].flatMap((agents) => [
  { name: `critical-path-${agents}`, unit: 'x', budget: 1.05, measure: () => ratios(agents, play) },
  {
    name: `critical-path-${agents}-bare-client`,
    unit: 'x',
    budget: 1.05,
    measure: () => ratios(agents, playBare),
  },
  {
    name: `model-calls-${agents}`,
    unit: 'calls',
    budget: 2 * agents + 1,
    measure: async () => [(await measured(agents, play)).calls],
  },
]);

type Play = (baseUrl: string, agents: number) => Promise<void>;

interface Measured {
  readonly ratio: number;
  readonly calls: number;
}

async function ratios(agents: number, how: Play): Promise<number[]> {
  const found: number[] = [];
  await measured(agents, how); // loads the client and warms up
  while (found.length < runsPerCase) {
    found.push((await measured(agents, how)).ratio);
  }
  return found;
}

async function measured(agents: number, how: Play): Promise<Measured> {
  const service = await startFakeModelService(script(agents));
  try {
    const begun = performance.now();
    await how(service.baseUrl, agents);
    const wallMs = performance.now() - begun;
    await service.settled();
    return { ratio: wallMs / pathMs(service.journal, agents), calls: service.journal.length };
  } finally {
    await service.close();
  }
}

/** Drafts, votes and the final text follow one another; of each phase its longest answer counts. */
function pathMs(journal: readonly JournalEntry[], agents: number): number {
  const phases = [
    journal.slice(0, agents),
    journal.slice(agents, 2 * agents),
    journal.slice(2 * agents),
  ];
  const longest = phases.map((phase) => Math.max(...phase.map(sentFor)));
  return longest.reduce((sum, ms) => sum + ms, 0);
}

function sentFor({ sentAt, receivedAt }: JournalEntry): number {
  return (sentAt.at(-1) ?? receivedAt) - receivedAt;
}

function script(agents: number): ServiceScript {
  // Nobody may vote for itself.
  const choiceOf = (slot: number): string => (slot === 1 ? 'agent2' : 'agent1');
  const model = (slot: number): ModelScript => ({
    latency,
    answers: [
      {
        steps: [
          { kind: 'text', text: words },
          { kind: 'tool-call', name: 'new_answer', arguments: { content: `Draft ${slot}.` } },
        ],
      },
      {
        steps: [
          { kind: 'text', text: words },
          {
            kind: 'tool-call',
            name: 'vote',
            arguments: { agent_id: choiceOf(slot), reason: 'Good.' },
          },
        ],
      },
      { steps: [{ kind: 'text', text: words }] },
    ],
  });
  return {
    models: Object.fromEntries(slots(agents).map((slot) => [`model-${slot}`, model(slot)])),
  };
}

function slots(agents: number): readonly number[] {
  return Array.from({ length: agents }, (_unused, i) => i + 1);
}

async function play(baseUrl: string, agents: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'massgen-bench-'));
  const app = createApp({
    storageDir: join(home, 'storage'),
    installDir: root,
    clock: realClock,
    logger: silent,
    secrets: { get: async () => undefined },
    extraBackends: [],
    origin: 'cli',
    liveFiles: createDiskFiles(),
  });
  try {
    const run = await app.startRun(request(home, baseUrl, agents), new AbortController().signal);
    const state = await run.ended;
    if (state.outcome !== 'completed' || state.finalAnswer?.source !== 'presented') {
      throw new Error(`the run ended with ${state.outcome}: ${state.error?.message}`);
    }
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function request(home: string, baseUrl: string, agents: number): StartRunRequest {
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'one\n');
  return {
    task: 'Say something.',
    config: {
      name: 'Bench',
      file: undefined,
      agents: slots(agents).map((slot) => ({
        id: `member_${slot}`,
        backend: {
          type: 'chatcompletion',
          model: `model-${slot}`,
          apiKeyName: undefined,
          options: { base_url: baseUrl },
        },
        systemMessage: undefined,
        weight: 1,
      })),
      contextPaths: [],
      settings: { ...recommendedProfile, stop: 'full', runSeed: undefined },
      caps: { durationMs: 60_000, modelCalls: null, costUsd: null },
      commandTimeoutMs: 60_000,
      notices: [],
    },
    folders: [{ name: 'project', path: project, permission: 'write' }],
    unsaved: new Map(),
    commandPolicy: askEveryTime,
  };
}

async function playBare(baseUrl: string, agents: number): Promise<void> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
  const ask = async (slot: number): Promise<void> => {
    const stream = await client.chat.completions.create({
      model: `model-${slot}`,
      messages: [{ role: 'user', content: 'Say something.' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const _chunk of stream) {
      // Only the end matters.
    }
  };
  await Promise.all(slots(agents).map(ask));
  await Promise.all(slots(agents).map(ask));
  await ask(1);
}
