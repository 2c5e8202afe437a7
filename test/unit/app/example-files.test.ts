import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App, RunHandle, StartRunRequest } from '../../../src/app/app-contract';
import { createApp } from '../../../src/app/create-app';
import { createDiskFiles } from '../../../src/app/disk-files';
import type { AgentConfig, RunConfig } from '../../../src/config/run-config';
import type { RecordedEvent } from '../../../src/run/events';
import { type FakeServices, keyOfFakes, startFakeServices } from '../../support/fake-services';
import { realClock } from '../../support/real-clock';
import { silent } from '../../support/run-harness';
import { examples } from '../config/example-files';

const signal = new AbortController().signal;
const installDir = join(import.meta.dirname, '../../..');
const toolServer = join(installDir, 'test/support/scripted-programs/tool-server.mjs');

let home: string;
let project: string;
let app: App;
let services: FakeServices;

const teams = examples.flatMap(({ path, config }) =>
  config === undefined ? [] : [[path, config] as const],
);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'massgen-examples-'));
  project = join(home, 'project');
  const agents = teams.flatMap(([, config]) => config.agents);
  services = await startFakeServices([...new Set(agents.map(({ backend }) => backend.model))]);
  app = createApp({
    ...{ storageDir: join(home, 'storage'), installDir, clock: realClock, logger: silent },
    secrets: { get: async (name) => (name === keyOfFakes ? 'let-me-in-0042' : undefined) },
    ...{ extraBackends: [], liveFiles: createDiskFiles(), origin: 'cli' },
    findSandbox: async () => ({ kind: 'none', reason: 'A test.' }),
  });
});

afterAll(async () => {
  await app.close();
  await services.close();
  rmSync(home, { recursive: true, force: true });
});

/** The first bytes by which files of each kind are known. */
const beginnings: readonly (readonly [suffix: RegExp, bytes: string])[] = [
  [/\.jpe?g$/, '\xff\xd8\xff\xe0'],
  [/\.mp3$/, 'ID3'],
  [/\.mp4$/, '\0\0\0\x18ftypmp42'],
  [/\.pdf$/, '%PDF-1.4'],
];

/** Makes what a team file names: a folder, or a file of the kind that its name says. */
function make(path: string): string {
  const whole = isAbsolute(path) ? path : join(project, path);
  if (/\.[a-z0-9]{2,4}$/.test(path)) {
    const bytes = beginnings.find(([suffix]) => suffix.test(path))?.[1] ?? 'text';
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, Buffer.from(bytes.padEnd(64, '\0'), 'latin1'));
  } else {
    mkdirSync(whole, { recursive: true });
  }
  return whole;
}

/** The team as it is, with scripted services and programs at the far ends of its wires. */
function withFakes(config: RunConfig): RunConfig {
  return { ...config, agents: config.agents.map(agentWithFakes) };
}

function agentWithFakes({ backend, tools, ...agent }: AgentConfig): AgentConfig {
  const transport = { type: 'stdio', command: [process.execPath, toolServer] } as const;
  const servers = tools?.servers.map((server) => ({
    ...server,
    transport: { ...transport, environment: { TOOL_NAME: server.name } },
  }));
  const uploads = tools?.uploads.map(({ kind, source }) => ({ kind, source: local(source) }));
  for (const { source } of uploads ?? []) {
    make(source);
  }
  return {
    ...{ ...agent, backend: services.redirect(backend) },
    ...(tools === undefined
      ? {}
      : { tools: { ...tools, servers: servers ?? [], uploads: uploads ?? [] } }),
  };
}

/** What is on the web is beside the project here. */
function local(source: string): string {
  return URL.canParse(source) ? `downloads/${basename(source)}` : source;
}

function foldersOf({ contextPaths }: RunConfig): StartRunRequest['folders'] {
  return contextPaths.length === 0
    ? [{ name: 'project', path: make('.'), permission: 'write' }]
    : contextPaths.map(({ path, permission, protectedPaths }, i) => ({
        ...{ name: `${basename(path)}-${i}`, path: make(path), permission, protectedPaths },
      }));
}

async function start(config: RunConfig): Promise<RunHandle> {
  const request = { task: 'Say hello.', config: withFakes(config), folders: foldersOf(config) };
  const commandPolicy: StartRunRequest['commandPolicy'] = {
    decide: () => ({ isAllowed: true, by: 'policy' }),
    remember: () => Promise.resolve(),
  };
  return app.startRun({ ...request, unsaved: new Map(), commandPolicy }, signal);
}

function missing(): never {
  throw new Error('there is no such file');
}

/** Resolves when the run has heard from the model of each agent that begins; answers what went wrong until then. */
async function heard(run: RunHandle, agents: number): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const speaking = new Set<number>();
    const told: string[] = [];
    const listening = run.onEvents((events) => {
      for (const { event } of events) {
        told.push(...failureIn(event));
        if (event.type === 'approval-requested') {
          // Where a file asks for isolation, nothing but a person's word lets its program work unconfined.
          run.resolveApproval(event.approvalId, event.hash, 'allow-run');
        }
        if (event.type === 'text-delta') {
          speaking.add(event.slot);
        }
        if (speaking.size === agents || told.length > 0) {
          listening.dispose();
          resolve(told);
        }
      }
    });
  });
}

/** That a model only says a word and hands nothing in is what all of them do here. */
function failureIn(event: RecordedEvent['event']): readonly string[] {
  const isFailure =
    (event.type === 'turn-failed' && event.cause !== 'protocol') || event.type === 'run-ended';
  return isFailure ? [JSON.stringify(event)] : [];
}

/** What cannot begin here, and why. */
const notStarted: Readonly<Record<string, string>> = {
  'basic/single/single_openrouter_audio_understanding.yaml': 'its model takes no audio files',
};

const started = teams.filter(([path]) => !Object.hasOwn(notStarted, path));

describe('a published team file', () => {
  it.each(Object.entries(notStarted))(
    '%s is refused before anybody is asked: %s',
    async (path, why) => {
      const config = teams.find(([name]) => name === path)?.[1];
      await expect(start(config ?? missing())).rejects.toThrow(why);
    },
  );

  it.concurrent.each(started)(
    '%s starts a run whose models are asked and answer',
    async (_path, config) => {
      const run = await start(config);
      const beginning = config.settings.skipCoordination ? 1 : config.agents.length;
      expect(await heard(run, beginning)).toEqual([]);
      run.stop();
      await run.ended;
    },
  );
});
