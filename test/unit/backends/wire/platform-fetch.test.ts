import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Every model is asked once, over a `fetch` that comes into its place only after the models were made. */
const program = `
  import { builtInBackends } from './src/backends/registry';
  const clock = { now: () => Date.now(), after: (ms, run) => { const t = setTimeout(run, ms); return { dispose: () => clearTimeout(t) }; } };
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const services = { clock, logger, secrets: { get: async () => 'key-1' } };
  const signal = new AbortController().signal;
  const request = { step: { attempt: 1, slot: 1, turnNo: 1, call: 1 }, task: 't', system: 's', messages: [{ role: 'user', text: 'Hi' }], tools: [], maxOutputTokens: undefined };
  const kinds = builtInBackends({ recordingsDir: '/nowhere' }).filter((kind) => kind.isProgram !== true && kind.type !== 'offline');
  const made = [];
  for (const kind of kinds) {
    const settings = { type: kind.type, model: 'some-model', apiKeyName: 'KEY', options: { base_url: 'https://models.example/v1' } };
    made.push([kind.type, await kind.create(settings, services, signal)]);
  }
  let asked = [];
  globalThis.fetch = async (input) => {
    asked.push(new URL(String(input?.url ?? input)).host);
    return new Response('{"error":{"message":"Through the proxy."}}', { status: 403, headers: { 'content-type': 'application/json' } });
  };
  for (const [type, backend] of made) {
    asked = [];
    const parts = [];
    for await (const part of backend.stream(request, signal)) parts.push(part);
    console.log(JSON.stringify({ type, asked, said: parts.at(-1)?.error?.message }));
  }
`;

let dir = '';

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'massgen-fetch-'));
  await build({
    stdin: { contents: program, resolveDir: process.cwd(), loader: 'ts', sourcefile: 'entry.ts' },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    ...{ outdir: dir, outExtension: { '.js': '.mjs' }, logLevel: 'silent' },
    banner: {
      js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);",
    },
  });
});
afterAll(async () => {
  await rm(dir, { recursive: true });
});

it('requests of every model go through the fetch of the platform, as it is at that moment', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(dir, 'stdin.mjs')], {
    env: { PATH: process.env['PATH'] },
  });
  const lines: readonly unknown[] = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const types = lines.map((line) => JSON.stringify(line));
  for (const type of ['chatcompletion', 'openai', 'grok', 'azure_openai', 'claude', 'gemini']) {
    expect(types.join('\n')).toContain(`"type":"${type}"`);
  }
  for (const line of lines) {
    expect(line).toMatchObject({ asked: ['models.example'] });
    expect(line).toHaveProperty('said', expect.stringContaining('Through the proxy.'));
  }
});
