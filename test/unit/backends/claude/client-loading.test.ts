import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeAll, early, serve } from './claude-fixture';

const program = `
  import { claudeKind } from './src/backends/claude/index';
  const clock = { now: () => Date.now(), after: (ms, run) => { const t = setTimeout(run, ms); return { dispose: () => clearTimeout(t) }; } };
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const settings = { type: 'claude', model: process.argv[3] ?? 'claude-haiku-4-5', apiKeyName: undefined, options: { base_url: process.argv[2] } };
  const signal = new AbortController().signal;
  const backend = await claudeKind.create(settings, { clock, logger, secrets: { get: async () => undefined } }, signal);
  const request = { step: { attempt: 1, slot: 1, turnNo: 1, call: 1 }, task: 't', system: 's', messages: [{ role: 'user', text: 'Hi' }], tools: [], maxOutputTokens: undefined };
  for await (const part of backend.stream(request, signal)) {
    console.log(JSON.stringify(part));
  }
`;

/** Everything that the library reads. */
const variables = [
  ...['API_KEY', 'AUTH_TOKEN', 'WEBHOOK_SIGNING_KEY', 'PROFILE', 'MODEL', 'SESSION_ID'],
  ...['ENVIRONMENT_ID', 'ENVIRONMENT_KEY', 'FEDERATION_RULE_ID', 'IDENTITY_TOKEN', 'SCOPE'],
  ...['IDENTITY_TOKEN_FILE', 'ORGANIZATION_ID', 'SERVICE_ACCOUNT_ID', 'WORKSPACE_ID'],
  ...['WORK_ID', 'WORK_SECRET'],
].map((name) => `ANTHROPIC_${name}`);

describe('the client library', () => {
  let dir = '';
  let outputs: Readonly<Record<string, { readonly inputs: object }>> = {};

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'massgen-claude-'));
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
  afterEach(closeAll);
  afterAll(async () => {
    await rm(dir, { recursive: true });
  });

  it('stays out of everything that is loaded before the first use', async () => {
    const withClient = Object.entries(outputs).filter(([, output]) =>
      Object.keys(output.inputs).some((input) => input.includes('node_modules/@anthropic-ai/')),
    );
    const entry = await readFile(join(dir, 'stdin.mjs'), 'utf8');
    expect(withClient).not.toEqual([]);
    for (const [path] of withClient) {
      expect(path).not.toContain('stdin.mjs');
      const name = path.split('/').at(-1) ?? '';
      expect(entry).not.toMatch(new RegExp(`from\\s*"\\./${name}"`));
    }
  });

  it('takes neither address nor key nor headers nor profiles from the environment', async () => {
    const asked = await serve([{ steps: [{ kind: 'text', text: 'ok' }] }], { model: early });
    const stray = await serve([]);
    // Where the library looks for profiles of a user who has signed in.
    const home = join(dir, 'home');
    const settings = join(home, '.config', 'anthropic');
    await mkdir(settings, { recursive: true });
    await writeFile(join(settings, 'config.json'), JSON.stringify({ base_url: stray.baseUrl }));
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(dir, 'stdin.mjs'), asked.baseUrl],
      {
        env: {
          ...{ PATH: process.env['PATH'], HOME: home },
          ...Object.fromEntries(variables.map((name) => [name, 'stray'])),
          ANTHROPIC_BASE_URL: stray.baseUrl,
          ANTHROPIC_CUSTOM_HEADERS: 'x-api-key: stray\nx-stray: yes',
          ANTHROPIC_CONFIG_DIR: settings,
          ANTHROPIC_OPEN_TELEMETRY: 'true',
          ANTHROPIC_LOG: 'debug',
          OTEL_EXPORTER_OTLP_ENDPOINT: stray.baseUrl,
        },
      },
    );
    expect(stdout).toContain('"reason":"stop"');
    expect(`${stdout}${stderr}${JSON.stringify(asked.journal)}`).not.toContain('stray');
    expect(asked.journal).toHaveLength(1);
    expect(stray.journal).toEqual([]);
  });

  it('writes no warning about a model that ends', async () => {
    const ending = 'claude-sonnet-4-5';
    const asked = await serve([{ steps: [{ kind: 'text', text: 'ok' }] }], { model: ending });
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [join(dir, 'stdin.mjs'), asked.baseUrl, ending],
      { env: { PATH: process.env['PATH'] } },
    );
    expect(stderr).toBe('');
  });
});
