// The whole command line in a process of its own, on the team and the sample that ship.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  type CliResult,
  finished,
  installCli,
  type InstalledCli,
  printed,
  projectRoot as root,
  startCli,
} from '../../support/built-cli';
import { startFakeModelService } from '../../support/fake-model-service/fake-model-service';
import { HeldClock } from '../../support/fake-model-service/held-clock';
import type { ServiceScript } from '../../support/fake-model-service/script';

const sampleTask =
  'parseDuration("1h 30m") returns 3600 instead of 5400. Fix it and keep the public API.';

let install: InstalledCli;
let home: string;
let teams: string;
let temp: string;

beforeAll(async () => {
  install = await installCli();
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'massgen-cli-'));
  teams = mkdtempSync(join(tmpdir(), 'massgen-teams-'));
  temp = join(home, 'tmp');
  mkdirSync(temp);
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(teams, { recursive: true, force: true });
});

function start(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const own = { HOME: home, TMPDIR: temp, ...environment };
  return startCli(install, args, { cwd: home, environment: own });
}

const massgen = (...args: readonly string[]): Promise<CliResult> => finished(start(args));

/** The shipped team at another speed: 1 is that of the script. */
function teamAt(speed: number, extra = ''): string {
  const text = readFileSync(join(root, 'configs', 'offline.yaml'), 'utf8');
  // Not in the folder that is worked on, where a file that runs commands is not trusted.
  const file = join(teams, `team-${speed}.yaml`);
  expect(text).toContain('speed: 1\n');
  writeFileSync(file, `${text.replaceAll('speed: 1\n', `speed: ${speed}\n`)}${extra}`);
  return file;
}

/** One agent, which thinks, looks and answers. */
const steeredScript: ServiceScript = {
  models: {
    steered: {
      answers: [
        {
          steps: [
            { kind: 'wait', ms: 1 },
            { kind: 'tool-call', name: 'list_directory', arguments: { path: '.' } },
          ],
        },
        {
          isRepeated: true,
          steps: [{ kind: 'tool-call', name: 'new_answer', arguments: { content: 'Done.' } }],
        },
      ],
    },
  },
};

function copyOfSample(): string {
  const dir = join(home, 'project');
  cpSync(join(root, 'media', 'sample-project'), dir, { recursive: true });
  return dir;
}

function hashOf(dir: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(name).update(readFileSync(name));
  }
  return hash.digest('hex');
}

describe('massgen', () => {
  it('plays the shipped team on a copy of the sample, and leaves nothing behind', async () => {
    const { code, output, notes } = await massgen('--config', teamAt(1000));
    expect(notes).toBe('');
    expect(code).toBe(0);
    expect(output).toContain('a script, made by hand. No model runs.');
    expect(output).toContain(sampleTask);
    expect(output).toMatch(/Commands of the script, allowed on this copy only\n {2}node --test/);
    expect(output).toMatch(/Agent \d runs: node --test\n/);
    expect(output).toContain('agent2.2 won with 2 of 3 votes.');
    expect(output).toMatch(/Agent 1 {2}agent2\.2 +Handles 1h 30m/);
    expect(output).toContain('+  return total;');
    expect(output).toContain('Nothing was written');
    expect(output).not.toContain('\u001B');
    expect(readdirSync(temp).filter((name) => name.startsWith('massgen-'))).toEqual([]);
  });

  it('writes the result with --apply: then the tests of the sample pass', async () => {
    const { code, output } = await massgen('--config', teamAt(1000), '--apply');
    expect(code).toBe(0);
    expect(output).toContain('Applied src/duration.js');
    const dir = /cd (\S+) && npm test/.exec(output)?.[1] ?? '';
    const tests = spawnSync(process.execPath, ['--test'], { cwd: dir, env: {}, encoding: 'utf8' });
    expect(tests.stdout).toMatch(/fail 0/);
  });

  it('passes on messages that a script puts into the inbox beside the log', async () => {
    const clock = new HeldClock();
    const service = await startFakeModelService(steeredScript, clock);
    onTestFinished(async () => service.close());
    const team = join(teams, 'steered.yaml');
    const backend = `{type: chatcompletion, model: steered, base_url: "${service.baseUrl}"}`;
    writeFileSync(team, `agents: [{id: a, backend: ${backend}}]\n`);
    const child = start(['Look around.', '--config', team, '--automation']);
    const result = finished(child);
    const head = await printed(child, 'QUESTION: ');
    const inbox = /^RUNTIME_INBOX: (.+)$/m.exec(head)?.[1] ?? '';
    const turnDir = dirname(/^STATUS: (.+)$/m.exec(head)?.[1] ?? '');
    writeFileSync(join(inbox, 'new'), '{"content": "Keep the public API.", "source": "test"}');
    renameSync(join(inbox, 'new'), join(inbox, 'msg_1.json'));
    await expect.poll(() => readdirSync(inbox)).toEqual(['msg_1.json.done']);
    clock.goOn();
    const { code, notes } = await result;
    expect(code).toBe(0);
    expect(notes).toMatch(/Your message, to all.*Keep the public API\./);
    expect(readFileSync(join(turnDir, 'events.jsonl'), 'utf8')).toContain('Keep the public API.');
    expect(JSON.stringify(service.journal.at(-1)?.body)).toContain('Keep the public API.');
  });

  it('X10 says where log and status are before any model is asked, and keeps them there', async () => {
    const { code, output } = await massgen(
      ...['--config', teamAt(1000), '--project', copyOfSample(), '--allow-commands'],
      ...['--automation', sampleTask],
    );
    expect(code).toBe(0);
    const facts = new Map(
      output
        .trimEnd()
        .split('\n')
        .map((line) => {
          const at = line.indexOf(': ');
          return [line.slice(0, at), line.slice(at + 2)] as const;
        }),
    );
    expect([...output.matchAll(/^([A-Z_]+):/gm)].map(([, key]) => key)).toEqual([
      ...['LOG_DIR', 'STATUS', 'RUNTIME_INBOX', 'QUESTION', 'WINNER', 'ANSWER_FILE'],
      ...['DURATION', 'ANSWER_PREVIEW', 'COMPLETED'],
    ]);
    const logDir = join(facts.get('LOG_DIR') ?? '', 'turn_1');
    const logs = join(home, '.local/share/massgen/massgen_logs');
    expect(logDir).toMatch(/\/log_\d{8}_\d{6}_\d{6}\/turn_1$/);
    expect(logDir.startsWith(logs)).toBe(true);
    expect(facts.get('STATUS')).toBe(join(logDir, 'status.json'));
    expect(JSON.parse(readFileSync(facts.get('STATUS') ?? '', 'utf8'))).toMatchObject({
      finish_reason: 'completed',
      is_complete: true,
      results: {
        winner: 'second',
        votes: { 'agent2.2': 2 },
        checks: { answers: { 'agent2.2': expect.any(Array) as unknown } },
      },
    });
    expect(readFileSync(facts.get('ANSWER_FILE') ?? '', 'utf8')).toContain('`parseDuration`');
    expect(facts.get('ANSWER_FILE')).toBe(join(logDir, 'final', 'second', 'answer.txt'));
    expect(readFileSync(join(logDir, 'events.jsonl'), 'utf8')).toContain('"type":"session_end"');
    expect(readFileSync(join(logDir, 'execution_metadata.yaml'), 'utf8')).toContain(
      '- --automation',
    );
  });

  it('X10 has printed both as its first lines while the first model call is still to come', async () => {
    const child = start([
      ...['--config', teamAt(1), '--project', copyOfSample(), '--automation', sampleTask],
    ]);
    const ended = finished(child);
    const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    const [first = '', second = ''] = chunk.toString().split('\n');
    expect(first).toMatch(/^LOG_DIR: \//);
    expect(second).toBe(`STATUS: ${first.slice('LOG_DIR: '.length)}/turn_1/status.json`);
    const status: unknown = JSON.parse(readFileSync(second.slice('STATUS: '.length), 'utf8'));
    expect(status).toMatchObject({ is_complete: false });
    child.kill('SIGINT');
    expect((await ended).code).toBe(4);
  });

  it('changes no byte of a project, and runs commands of agents there only when they are confined', async () => {
    const project = copyOfSample();
    const before = hashOf(project);
    const { code, output } = await massgen(
      ...['--config', teamAt(1000), '--project', project, sampleTask],
    );
    expect(code).toBe(0);
    const isConfined = /Commands {1,2}confined/.test(output);
    expect(output).toMatch(isConfined ? /Agent \d runs: node/ : /Agent \d may not run: node/);
    expect(/commands were refused: .*--allow-commands/.test(output)).toBe(!isConfined);
    expect(hashOf(project)).toBe(before);
  });

  it('never overwrites what was changed meanwhile, and says so with its exit code', async () => {
    const project = copyOfSample();
    const child = start([
      ...['--config', teamAt(20), '--project', project, '--allow-commands', '--apply', sampleTask],
    ]);
    const ended = finished(child);
    await printed(child, 'new answer');
    const source = join(project, 'src', 'duration.js');
    const mine = readFileSync(source, 'utf8').replace('return Number(amount)', 'return 7');
    writeFileSync(source, mine);
    const { code, output } = await ended;
    expect(output).toMatch(/Not applied: src\/duration\.js: ./);
    expect(code).toBe(2);
    // The parts that fit are written; the user's own line stays.
    expect(readFileSync(source, 'utf8')).toContain('return 7 * secondsPer[unit];');
  });

  it('proposes nothing below a protected path', async () => {
    const project = copyOfSample();
    const paths = `  context_paths: [{path: ., permission: write, protected_paths: [test]}]\n`;
    const { code, output } = await massgen(
      ...['--config', teamAt(1000, paths), '--project', project, '--apply', '--allow-commands'],
      sampleTask,
    );
    expect(code).toBe(0);
    expect(output).toContain('Applied src/duration.js');
    expect(output).not.toContain('b/test/duration.test.js');
    const shipped = readFileSync(join(root, 'media/sample-project/test/duration.test.js'), 'utf8');
    expect(readFileSync(join(project, 'test/duration.test.js'), 'utf8')).toBe(shipped);
  });

  it('has no team for a task of the user, and says how to get one', async () => {
    const { code, output, notes } = await massgen('Write a poem.');
    expect(code).toBe(1);
    expect(output).toBe('');
    expect(notes).toBe(
      [
        'massgen: No default configuration found.',
        `Looked for: ${home}/.massgen/config.yaml, ${home}/.config/massgen/config.yaml.`,
        'Name a team with --config FILE or a model with --model NAME, or make a team with massgen --quickstart.',
        '',
      ].join('\n'),
    );
  });

  it('stops on an interrupt, ends everything and leaves with 4', async () => {
    const child = start(['--config', teamAt(1)]);
    const ended = finished(child);
    await printed(child, 'answered');
    child.kill('SIGINT');
    const { code, output, notes } = await ended;
    expect(code).toBe(4);
    expect(notes).toContain('Stopping');
    expect(output).toContain('Stopped by you');
    expect(readdirSync(temp).filter((name) => name.startsWith('massgen-'))).toEqual([]);
  });

  it('leaves with 2 when no agent can answer, and says why', async () => {
    const file = join(home, 'dead.yaml');
    const nobody = 'type: chatcompletion, model: m, base_url: "http://127.0.0.1:2/v1"';
    writeFileSync(
      file,
      `agents: [{id: a, backend: {${nobody}}}]
orchestrator: {backend_retries: 0, max_failed_turns_per_agent: 1}
`,
    );
    const { code, output } = await massgen('Do it.', '--config', file, '--storage', 'runs');
    expect(output).toContain('127.0.0.1:2');
    expect(output).toContain('No agent could answer');
    expect(output).toContain('Start the model server, or correct base_url.');
    expect(code).toBe(2);
  });

  it('can be interrupted before it has begun', async () => {
    const child = start(['--config', teamAt(1)]);
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    const { code } = await finished(child);
    expect(code).toBe(4);
    expect(readdirSync(temp).filter((name) => name.startsWith('massgen-'))).toEqual([]);
  });

  it('leaves with 3 when the time is up', async () => {
    const limits = '\nlimits:\n  duration_minutes: 0.005\n';
    const { code, output } = await massgen('--config', teamAt(1, limits));
    expect(output).toContain('Cap reached');
    expect(code).toBe(3);
  });
});

describe('massgen refuses before anything is sent', () => {
  const keyless = `agents:
  - id: a
    backend: {type: chatcompletion, model: gpt-5.4}
`;

  it.each([
    ['an unknown option', ['--aply'], /Did you mean --apply\?/],
    ['a team file that is not there', ['x', '--config', 'none.yaml'], /no team file none\.yaml/],
    ['a folder that is not there', ['x', '--project', 'none'], /There is no folder .*none/],
    ['a project without a task', ['--project', 'tmp'], /There is no task/],
    [
      'runs kept inside the project',
      [sampleTask, '--project', '.', '--storage', 'runs'],
      /inside .*which the agents see/,
    ],
  ])('%s', async (_what, args, message) => {
    const { code, output, notes } = await massgen(...args);
    expect(notes).toMatch(message);
    expect(output).toBe('');
    expect(code).toBe(1);
  });

  it('a team file of the project that lets agents see what lies outside', async () => {
    const file = join(home, 'team-inside.yaml');
    cpSync(teamAt(1000, '  context_paths: [../elsewhere]\n'), file);
    const { code, notes } = await massgen(sampleTask, '--config', file);
    expect(code).toBe(1);
    expect(notes).toContain('agents would see ../elsewhere');
    expect(notes).toContain('it would run, in copies: node --test');
  });

  it('a bad team file, with all its problems and their places', async () => {
    const file = join(home, 'bad.yaml');
    writeFileSync(
      file,
      'agents:\n  - id: a\n    backend: {type: chatcompletoin}\norchestrater: {}\n',
    );
    const { code, notes } = await massgen('x', '--config', file);
    expect(code).toBe(1);
    expect(notes).toContain(`${file}:3:21: error: agents[0].backend.type: `);
    expect(notes).toContain(`${file}:4:1: error: orchestrater: `);
  });

  it('a key that is missing, by the name of its variable', async () => {
    const file = join(home, 'team.yaml');
    writeFileSync(file, keyless);
    const { code, notes } = await massgen('x', '--config', file);
    expect(code).toBe(1);
    expect(notes).toContain('OPENAI_API_KEY');
  });

  it('a team file of the project until it is trusted, and lists what it would send where', async () => {
    const project = copyOfSample();
    mkdirSync(join(project, '.massgen'));
    writeFileSync(join(project, '.massgen', 'config.yaml'), keyless);
    const untrusted = await massgen('x', '--project', project);
    expect(untrusted.code).toBe(1);
    expect(untrusted.notes).toMatch(/lies inside the project/);
    expect(untrusted.notes).toMatch(/api\.openai\.com would receive .*OPENAI_API_KEY/);
    expect(untrusted.notes).toContain('--trust-config');
    const trusted = await massgen('x', '--project', project, '--trust-config');
    expect(trusted.notes).toMatch(/key/i);
    expect(trusted.notes).not.toContain('--trust-config');
  });

  it('a key that would go to a stranger', async () => {
    const file = join(home, 'team.yaml');
    const stranger = 'model: m, base_url: "https://example.com/v1", api_key: "${OPENAI_API_KEY}"';
    writeFileSync(file, keyless.replace('model: gpt-5.4', stranger));
    const { code, notes } = await finished(
      start(['x', '--config', file], { OPENAI_API_KEY: 'sk-not-a-real-key-0123456789' }),
    );
    expect(code).toBe(1);
    expect(notes).toContain('OPENAI_API_KEY to example.com');
    expect(notes).not.toContain('0123456789');
  });
});
