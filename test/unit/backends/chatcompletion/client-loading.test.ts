import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeModelService } from '../../../support/fake-model-service/fake-model-service';

const program = `
  import { builtInBackends } from './src/backends/registry';
  const kind = builtInBackends({ recordingsDir: '/nowhere' }).find(({ type }) => type === 'chatcompletion');
  const clock = { now: () => Date.now(), after: (ms, run) => { const t = setTimeout(run, ms); return { dispose: () => clearTimeout(t) }; } };
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const settings = { type: 'chatcompletion', model: 'model-x', apiKeyName: undefined, options: { base_url: process.argv[2] } };
  const signal = new AbortController().signal;
  const backend = await kind.create(settings, { clock, logger, secrets: { get: async () => undefined } }, signal);
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
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outdir: dir,
      outExtension: { '.js': '.mjs' },
      metafile: true,
      logLevel: 'silent',
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
    const asked = await startFakeModelService({
      models: { 'model-x': { answers: [{ steps: [{ kind: 'text', text: 'ok' }] }] } },
    });
    const stray = await startFakeModelService({ models: {} });
    try {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [join(dir, 'stdin.mjs'), asked.baseUrl],
        {
          env: {
            PATH: process.env['PATH'],
            OPENAI_API_KEY: 'stray-key',
            OPENAI_ADMIN_KEY: 'stray-admin-key',
            OPENAI_BASE_URL: stray.baseUrl,
            OPENAI_ORG_ID: 'stray-org',
            OPENAI_PROJECT_ID: 'stray-project',
            OPENAI_CUSTOM_HEADERS: 'authorization: Bearer stray\nx-stray: yes',
            OPENAI_LOG: 'debug',
          },
        },
      );
      expect(stdout).toContain('"reason":"stop"');
      expect(`${stdout}${stderr}${JSON.stringify(asked.journal)}`).not.toContain('stray');
      expect(asked.journal).toHaveLength(1);
      expect(stray.journal).toEqual([]);
    } finally {
      await asked.close();
      await stray.close();
    }
  });
});
