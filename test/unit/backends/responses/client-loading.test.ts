import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeResponses } from '../../../support/fake-responses/fake-responses';

const program = `
  import { openAiKind } from './src/backends/responses/index';
  const clock = { now: () => Date.now(), after: (ms, run) => { const t = setTimeout(run, ms); return { dispose: () => clearTimeout(t) }; } };
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const settings = { type: 'openai', model: 'gpt-5', apiKeyName: undefined, options: { base_url: process.argv[2] } };
  const signal = new AbortController().signal;
  const services = { clock, logger, secrets: { get: async () => undefined } };
  const backend = await openAiKind.create(settings, services, signal);
  const request = { step: { attempt: 1, slot: 1, turnNo: 1, call: 1 }, task: 't', system: 's', messages: [{ role: 'user', text: 'Hi' }], tools: [], maxOutputTokens: undefined };
  for await (const part of backend.stream(request, signal)) {
    console.log(JSON.stringify(part));
  }
  console.log(await openAiKind.discover(settings, services, signal));
`;

describe('the client library for responses', () => {
  let dir = '';
  let outputs: Readonly<Record<string, { readonly inputs: object }>> = {};

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'massgen-client-'));
    const result = await build({
      stdin: { contents: program, resolveDir: process.cwd(), loader: 'ts', sourcefile: 'entry.ts' },
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
      ...{ outdir: dir, outExtension: { '.js': '.mjs' }, metafile: true, logLevel: 'silent' },
    });
    outputs = result.metafile.outputs;
  });
  afterAll(async () => {
    await rm(dir, { recursive: true });
  });

  it('stays out of everything that is loaded before the first use', async () => {
    const withClient = Object.entries(outputs).filter(([, output]) =>
      Object.keys(output.inputs).some((input) => input.includes('node_modules/openai/')),
    );
    const entry = await readFile(join(dir, 'stdin.mjs'), 'utf8');
    expect(withClient).not.toEqual([]);
    for (const [path] of withClient) {
      expect(path).not.toContain('stdin.mjs');
      const name = path.split('/').at(-1) ?? '';
      expect(entry).not.toMatch(new RegExp(`from\\s*"\\./${name}"`));
    }
  });

  it('takes neither address nor key nor headers from the environment', async () => {
    const asked = await startFakeResponses({
      models: { 'gpt-5': [{ steps: [{ kind: 'text', text: 'ok' }] }] },
    });
    const stray = await startFakeResponses({ models: {} });
    try {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [join(dir, 'stdin.mjs'), asked.baseUrl],
        {
          env: {
            PATH: process.env['PATH'],
            ...{ OPENAI_API_KEY: 'stray-key', OPENAI_ADMIN_KEY: 'stray-admin-key' },
            ...{ OPENAI_BASE_URL: stray.baseUrl, AZURE_OPENAI_ENDPOINT: stray.baseUrl },
            ...{ OPENAI_ORG_ID: 'stray-org', OPENAI_PROJECT_ID: 'stray-project' },
            OPENAI_CUSTOM_HEADERS: 'authorization: Bearer stray\nx-stray: yes',
            OPENAI_LOG: 'debug',
          },
        },
      );
      expect(stdout).toContain('"reason":"stop"');
      expect(stdout).toContain('gpt-5');
      expect(`${stdout}${stderr}${JSON.stringify(asked.journal)}`).not.toContain('stray');
      expect(asked.journal).toHaveLength(2);
      expect(stray.journal).toEqual([]);
    } finally {
      await asked.close();
      await stray.close();
    }
  });
});
