// What a run leaves behind, and where: nothing, a file, a stream, folders of its own beside others.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finished, installCli, type InstalledCli, printed } from '../../support/built-cli';
import { CliStage, words } from '../../support/cli-stage';
import { HeldClock } from '../../support/fake-model-service/held-clock';
import { artifactSchema } from '../../../scripts/artifact-schemas/files';

let install: InstalledCli;
let stage: CliStage;

beforeAll(async () => {
  install = await installCli();
});
beforeEach(() => {
  stage = new CliStage(install);
});
afterEach(async () => {
  await stage.close();
});

const one = [words.present('Blue.', 'It is blue.'), words.answer('Blue.')];

describe('massgen --no-logs', () => {
  it('keeps nothing of a run, and hands over the answer in the file that was asked for', async () => {
    const { file } = await stage.team({ a: one });
    const args = ['--config', file, '--automation', '--no-logs', '--output-file', 'out.txt'];
    const { code, output } = await stage.massgen('Which?', ...args);
    expect(code).toBe(0);
    const target = join(stage.project, 'out.txt');
    expect(output.replaceAll(/\d+\.\ds/g, '0.0s')).toBe(
      [
        ...['QUESTION: Which?', '[Coordination in progress]', '', 'WINNER: a', 'DURATION: 0.0s'],
        ...[`ANSWER_PREVIEW: ${readFileSync(target, 'utf8')}`, ''],
        ...['COMPLETED: 1 agents, 0.0s total', `OUTPUT_FILE: ${target}`, ''],
      ].join('\n'),
    );
    expect(existsSync(stage.storage)).toBe(false);
    expect(existsSync(stage.registry)).toBe(false);
    expect(stage.leftovers()).toEqual([]);
    expect(readdirSync(stage.project)).toEqual(['out.txt']);
  });

  it('offers a person nothing that would need what is gone', async () => {
    const { file } = await stage.team({ a: one });
    const { code, output } = await stage.massgen('Which?', '--config', file, '--no-logs');
    expect(code).toBe(0);
    expect(output).toContain('Nothing of this run is kept.');
    expect(output).not.toContain('--session-id');
  });

  it('has removed everything after an interrupt, too', async () => {
    const { file, service } = await stage.team({ a: [words.hang] });
    const child = stage.start(['Which?', '--config', file, '--automation', '--no-logs']);
    const ended = finished(child);
    await service.arrived(1);
    expect(stage.leftovers()).not.toEqual([]);
    child.kill('SIGINT');
    expect((await ended).code).toBe(4);
    expect(stage.leftovers()).toEqual([]);
    expect(existsSync(stage.storage)).toBe(false);
  });
});

describe('massgen --no-logs, killed', () => {
  it('leaves what the next run removes, which touches nothing of one that goes on', async () => {
    const { file, service } = await stage.team({ a: [words.hang] });
    const args = ['Which?', '--config', file, '--automation', '--no-logs'];
    const killed = stage.start(args);
    const gone = finished(killed);
    await service.arrived(1);
    killed.kill('SIGKILL');
    await gone;
    const left = stage.leftovers();
    expect(left).toHaveLength(1);
    const going = stage.start(args);
    const ended = finished(going);
    await service.arrived(2);
    const others = stage.leftovers();
    expect(others).toHaveLength(1);
    expect(others).not.toEqual(left);
    const next = await stage.team({ a: one });
    await stage.massgen('Which?', '--config', next.file, '--automation', '--no-logs');
    expect(stage.leftovers()).toEqual(others);
    going.kill('SIGINT');
    expect((await ended).code).toBe(4);
    expect(stage.leftovers()).toEqual([]);
  });
});

describe('massgen --inbox-dir', () => {
  it.each([
    ['by the option', ['--inbox-dir', 'box'], {}],
    ['by the variable', [], { MASSGEN_RUNTIME_INBOX_DIR: 'box' }],
  ])(
    'names the folder that is watched, %s, and takes messages from it',
    async (_how, args, variables) => {
      const clock = new HeldClock();
      const look = { kind: 'tool-call', name: 'list_directory', arguments: { path: '.' } } as const;
      const { file, service } = await stage.team(
        { a: [{ steps: [{ kind: 'wait', ms: 1 }, look] }, words.answer('Blue.')] },
        '',
        clock,
      );
      const child = stage.start(['Which?', '--config', file, '--automation', ...args], {
        environment: variables,
      });
      const ended = finished(child);
      const head = await printed(child, 'QUESTION: ');
      const inbox = join(stage.project, 'box');
      expect(head).toContain(`\nRUNTIME_INBOX: ${inbox}\n`);
      writeFileSync(join(inbox, 'new'), '{"content": "Keep it short."}');
      renameSync(join(inbox, 'new'), join(inbox, 'msg_1.json'));
      await expect.poll(() => readdirSync(inbox)).toEqual(['msg_1.json.done']);
      clock.goOn();
      expect((await ended).code).toBe(0);
      expect(JSON.stringify(service.journal.at(-1)?.body)).toContain('Keep it short.');
    },
  );
});

describe('massgen --output-file', () => {
  it('refuses a place that is not there before anything is sent', async () => {
    const { file, service } = await stage.team({ a: one });
    const result = await stage.massgen('Which?', '--config', file, '--output-file', 'no/out.txt');
    expect(result.code).toBe(1);
    expect(result.notes).toContain('There is no folder');
    expect(service.journal).toEqual([]);
  });

  it('follows a link and keeps the permissions of the file', async () => {
    const { file } = await stage.team({ a: one });
    const target = join(stage.home, 'kept.txt');
    writeFileSync(target, 'Earlier.', { mode: 0o600 });
    symlinkSync(target, join(stage.home, 'link.txt'));
    const result = await stage.massgen(
      ...['Which?', '--config', file, '--automation', '--output-file', '../link.txt'],
    );
    expect(result.code).toBe(0);
    expect(lstatSync(join(stage.home, 'link.txt')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('Blue.');
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(stage.home).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('writes into a pipe and leaves it a pipe', async () => {
    const { file } = await stage.team({ a: one });
    const pipe = join(stage.home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    const result = await stage.massgen(
      ...['Which?', '--config', file, '--automation', '--output-file', pipe],
    );
    expect(result.code).toBe(0);
    expect(await read).toBe('Blue.');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it.each(['/dev/stdout', '/dev/stderr', '/dev/fd/1', '/proc/self/fd/1', '/dev/null/x', '.'])(
    'refuses %s before anything is sent',
    async (path) => {
      const { file, service } = await stage.team({ a: one });
      const result = await stage.massgen('Which?', '--config', file, '--output-file', path);
      expect(result.code).toBe(1);
      expect(result.notes).toContain('--output-file');
      expect(service.journal).toEqual([]);
    },
  );

  it('leaves the file of an earlier answer alone when there is none', async () => {
    const { file } = await stage.team({ a: [words.hang] }, 'limits: {duration_minutes: 0.01}\n');
    const target = join(stage.home, 'kept.txt');
    writeFileSync(target, 'Earlier.');
    const result = await stage.massgen(
      ...['Which?', '--config', file, '--automation', '--output-file', target],
    );
    expect(result.code).toBe(3);
    expect(result.output).not.toContain('OUTPUT_FILE');
    expect(readFileSync(target, 'utf8')).toBe('Earlier.');
  });
});

describe('massgen --stream-events', () => {
  it('prints JSON lines of one schema alone: where, every event in order, what came of it', async () => {
    const { file } = await stage.team({ a: one });
    const { code, output } = await stage.massgen('Which?', '--config', file, '--stream-events');
    expect(code).toBe(0);
    const lines = output
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { seq: number | null; type: string; data: { status?: string } },
      );
    const isValid = new Ajv({ strict: true }).compile(
      artifactSchema('output-line', { closed: true }),
    );
    expect(lines.filter((line) => !isValid(line))).toEqual([]);
    const [first, ...rest] = lines;
    const last = rest.pop();
    expect(first).toMatchObject({ seq: null, type: 'output_started' });
    expect(last).toMatchObject({
      ...{ seq: null, type: 'output_ended' },
      data: { exit_code: 0, outcome: 'completed', winner: 'agent1.1' },
    });
    expect(rest.map(({ seq }) => seq)).toEqual(rest.map((_line, i) => i));
    const stored = readFileSync(join(first?.data.status ?? '', '..', 'events.jsonl'), 'utf8');
    expect(`${rest.map((line) => JSON.stringify(line)).join('\n')}\n`).toBe(stored);
  });
});

describe('several runs side by side in one folder', () => {
  it('do not touch one another', async () => {
    const teams = await Promise.all(
      ['Red', 'Green', 'Blue', 'Gold'].map(async (color) => {
        const team = await stage.team({
          a: [words.present(`${color}!`, `It is ${color}.`), words.answer(`${color}!`)],
        });
        return { ...team, color };
      }),
    );
    const results = await Promise.all(
      teams.map(async ({ file, color }) =>
        stage.massgen(`Is it ${color}?`, '--config', file, '--automation'),
      ),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const dirs = results.map(({ output }) => /^LOG_DIR: (.+)$/m.exec(output)?.[1] ?? '');
    expect(new Set(dirs).size).toBe(4);
    teams.forEach(({ color }, i) => {
      const others = teams.filter((team) => team.color !== color).map((team) => team.color);
      const all = readdirSync(dirs[i] ?? '', { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
        .join('\n');
      expect(all).toContain(`Is it ${color}?`);
      expect(others.filter((other) => all.includes(`Is it ${other}`))).toEqual([]);
    });
    const { sessions } = JSON.parse(readFileSync(stage.registry, 'utf8')) as {
      readonly sessions: readonly { readonly status: string; readonly description: string }[];
    };
    expect(sessions.map(({ description }) => description).toSorted()).toEqual(
      teams.map(({ color }) => `Is it ${color}?`).toSorted(),
    );
    expect(sessions.map(({ status }) => status)).toEqual(sessions.map(() => 'completed'));
  });
});
