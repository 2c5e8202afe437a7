import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeGemini } from '../../../support/fake-gemini/fake-gemini';

const program = `
  import { geminiKind as kind } from './src/backends/gemini/index';
  const clock = { now: () => Date.now(), after: (ms, run) => { const t = setTimeout(run, ms); return { dispose: () => clearTimeout(t) }; } };
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const settings = { type: 'gemini', model: 'gemini-3.8-flash', apiKeyName: 'K', options: { base_url: process.argv[2] } };
  const signal = new AbortController().signal;
  const backend = await kind.create(settings, { clock, logger, secrets: { get: async () => 'key-1' } }, signal);
  const request = { step: { attempt: 1, slot: 1, turnNo: 1, call: 1 }, task: 't', system: 's', messages: [{ role: 'user', text: 'Hi' }], tools: [], maxOutputTokens: undefined };
  for await (const part of backend.stream(request, signal)) {
    console.log(JSON.stringify(part));
  }
`;

describe('the client library', () => {
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
      Object.keys(output.inputs).some((input) => input.includes('node_modules/@google/genai/')),
    );
    const entry = await readFile(join(dir, 'stdin.mjs'), 'utf8');
    expect(withClient).not.toEqual([]);
    for (const [path] of withClient) {
      expect(path).not.toContain('stdin.mjs');
      const name = path.split('/').at(-1) ?? '';
      expect(entry).not.toMatch(new RegExp(`from\\s*"\\./${name}"`));
    }
  });

  it('takes neither address nor key nor version from the environment, and says nothing', async () => {
    const asked = await startFakeGemini({
      models: { 'gemini-3.8-flash': [{ steps: [{ kind: 'text', text: 'ok' }] }] },
      apiKeys: ['key-1'],
    });
    const stray = await startFakeGemini({ models: {} });
    try {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [join(dir, 'stdin.mjs'), asked.baseUrl],
        {
          env: {
            PATH: process.env['PATH'],
            GEMINI_API_KEY: 'stray-key',
            GOOGLE_API_KEY: 'stray-key-too',
            GOOGLE_GEMINI_BASE_URL: stray.baseUrl,
            GOOGLE_VERTEX_BASE_URL: stray.baseUrl,
            GOOGLE_GENAI_USE_VERTEXAI: 'true',
            GOOGLE_GENAI_API_VERSION: 'stray-version',
            GOOGLE_CLOUD_PROJECT: 'stray-project',
            GOOGLE_CLOUD_LOCATION: 'stray-location',
          },
        },
      );
      expect(stdout).toContain('"reason":"stop"');
      expect(stderr).toBe('');
      expect(`${stdout}${JSON.stringify(asked.journal)}`).not.toContain('stray');
      expect(asked.journal).toHaveLength(1);
      expect(stray.journal).toEqual([]);
    } finally {
      await asked.close();
      await stray.close();
    }
  });
});
