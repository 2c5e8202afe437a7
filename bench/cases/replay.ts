// How long a recorded run of three agents takes to be played again, from its log to the comparison of every event.
import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { App } from '../../src/app/app-contract';
import { createApp } from '../../src/app/create-app';
import { createDiskFiles } from '../../src/app/disk-files';
import { realClock } from '../../test/support/real-clock';
import { silent } from '../../test/support/run-harness';

const root = resolve(import.meta.dirname, '..', '..');
const replays = 7;

export const cases = [{ name: 'replay-3', unit: 'ms', budget: 2000, measure }];

async function measure(): Promise<number[]> {
  const home = mkdtempSync(join(tmpdir(), 'massgen-bench-'));
  try {
    const runId = await record(home);
    const samples: number[] = [];
    while (samples.length < replays) {
      samples.push(await replay(home, runId));
    }
    return samples;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function open(home: string): App {
  return createApp({
    storageDir: join(home, 'storage'),
    installDir: root,
    clock: realClock,
    logger: silent,
    secrets: { get: async () => undefined },
    extraBackends: [],
    origin: 'cli',
    liveFiles: createDiskFiles(),
  });
}

/** The demonstration that ships, on a copy of its sample, as fast as it can. */
async function record(home: string): Promise<string> {
  const app = open(home);
  const project = join(home, 'sample-project');
  await cp(join(root, 'media', 'sample-project'), project, { recursive: true });
  const team = await app.offlineTeam();
  try {
    const run = await app.startRun(
      {
        task: 'parseDuration("1h 30m") returns 3600 instead of 5400. Fix it and keep the public API.',
        config: {
          ...team,
          agents: team.agents.map((agent) => ({
            ...agent,
            backend: { ...agent.backend, options: { ...agent.backend.options, speed: 1000 } },
          })),
        },
        folders: [{ name: 'sample-project', path: project, permission: 'write' }],
        unsaved: new Map(),
        commandPolicy: {
          decide: () => ({ isAllowed: true, by: 'policy' }),
          remember: async () => undefined,
        },
      },
      new AbortController().signal,
    );
    const { outcome } = await run.ended;
    if (outcome !== 'completed') {
      throw new Error(`the run ended with ${outcome}`);
    }
    return run.runId;
  } finally {
    await app.close();
  }
}

/** In ms, with a product of its own: nothing is known of the run beforehand. */
async function replay(home: string, runId: string): Promise<number> {
  const app = open(home);
  try {
    const begun = performance.now();
    const { difference } = await app.replayRun(runId, new AbortController().signal);
    const ms = performance.now() - begun;
    if (difference !== null) {
      throw new Error(`event ${difference.seq} came out differently`);
    }
    return ms;
  } finally {
    await app.close();
  }
}
