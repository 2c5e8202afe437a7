// What leaves the machine with a session, and what `massgen logs` tells of it.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportSize, exportTurns } from '../../../src/cli/export-words';
import { type CliResult, finished, installCli, type InstalledCli } from '../../support/built-cli';
import { CliStage, words } from '../../support/cli-stage';

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';
const plainKey = 'let-me-in-please-0042';

let install: InstalledCli;
/** Two turns of one session, in whose files a key, another key and the home stand. */
let stage: CliStage;
let turns: readonly string[];
let out: string;

beforeAll(async () => {
  install = await installCli();
  stage = new CliStage(install);
  const { file } = await stage.team({
    painter: [
      { ...words.answer('Navy.'), when: { contains: 'Which shade?' } },
      words.answer(`Blue, see ${stage.home}/colors.txt <b>`),
    ],
  });
  const args = ['--config', file, '--automation'];
  const first = await stage.massgen('Which color?', ...args);
  const second = await stage.massgen('Which shade?', '--continue', ...args);
  turns = [first, second].map(turnDirOf);
  const [dir = ''] = turns;
  const workspace = join(dir, 'painter', 'x', 'workspace');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'notes.md'), `key ${key}\nSERVICE_KEY=${plainKey}\n`);
  writeFileSync(join(workspace, 'large.txt'), 'x'.repeat(2_000));
  writeFileSync(join(workspace, 'state.bin'), `\0${stage.home}`);
  writeFileSync(join(workspace, 'image.bin'), '\0plain');
  symlinkSync('/etc/hostname', join(workspace, 'link'));
});
afterAll(async () => {
  await stage.close();
});
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'massgen-out-'));
  return () => rmSync(out, { recursive: true, force: true });
});

const turnDirOf = ({ output }: CliResult): string =>
  dirname(/^STATUS: (.+)$/m.exec(output)?.[1] ?? '');

async function exported(...args: readonly string[]): Promise<CliResult> {
  const environment = { SERVICE_KEY: plainKey };
  return finished(stage.start(['export', ...args], { cwd: out, environment }));
}

function filesIn(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('massgen export', () => {
  it('shows with --dry-run what would go along, and writes nothing', async () => {
    const { code, output } = await exported('--dry-run');
    expect(code).toBe(0);
    expect(output).toMatch(/^Session \S+, 2 turns\n/);
    expect(output).toMatch(
      /turn_1\/painter\/x\/workspace\/notes\.md {2}\d+ bytes, 2 places taken out/,
    );
    expect(output).toContain('left out: turn_1/painter/x/workspace/link (not a plain file)');
    expect(output).toContain('workspace/state.bin (it holds a secret or the path of your home)');
    expect(output).toContain('it stays on this machine');
    expect(readdirSync(out)).toEqual([]);
  });

  it('writes a folder in which no key and no path of the home stands', async () => {
    const { code, output } = await exported('--yes', '--output', 'shared');
    expect(output).toContain('Nothing was sent anywhere.');
    expect(code).toBe(0);
    const files = filesIn(join(out, 'shared'));
    const texts = files.map((file) => readFileSync(file, 'latin1'));
    expect(files).toContain(join(out, 'shared/turn_2/status.json'));
    expect(texts.filter((text) => text.includes(key) || text.includes(plainKey))).toEqual([]);
    expect(texts.filter((text) => text.includes(stage.home))).toEqual([]);
    const notes = join(out, 'shared/turn_1/painter/x/workspace/notes.md');
    expect(readFileSync(notes, 'utf8')).toBe(
      'key [secret removed]\nSERVICE_KEY=[secret removed]\n',
    );
    const answer = join(out, 'shared/turn_1/final/painter/answer.txt');
    expect(readFileSync(answer, 'utf8').trim()).toBe('Blue, see ~/colors.txt <b>');
    expect(JSON.parse(readFileSync(join(out, 'shared/turn_1/status.json'), 'utf8'))).toMatchObject({
      finish_reason: 'completed',
    });
  });

  it('leaves the run itself as it was', async () => {
    const before = new Map(turns.flatMap(filesIn).map((file) => [file, readFileSync(file)]));
    await exported('--yes', '--output', 'shared');
    expect(new Map(turns.flatMap(filesIn).map((file) => [file, readFileSync(file)]))).toEqual(
      before,
    );
  });

  it('writes one HTML file without script that shows all text as text', async () => {
    const { code } = await exported('--yes', '--output', 'shared.html');
    expect(code).toBe(0);
    const html = readFileSync(join(out, 'shared.html'), 'utf8');
    expect(html).toContain('Blue, see ~/colors.txt &lt;b&gt;');
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|src=|href=/);
    expect(html).not.toContain(key);
    expect(readdirSync(out)).toEqual(['shared.html']);
  });

  it('takes the turns and the files of agents that were asked for', async () => {
    const listed = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { output } = await exported('--dry-run', '--json', ...args);
      const { files } = JSON.parse(output) as { files: readonly { readonly path: string }[] };
      return files.map(({ path }) => path);
    };
    const second = await listed('--turns', '2');
    expect(second).toContain('turn_2/status.json');
    expect(second.filter((path) => !path.startsWith('turn_2/'))).toEqual([]);
    expect(await listed('--turns', 'latest')).toEqual(second);
    const none = await listed('--no-workspace');
    expect(none.filter((path) => path.includes('/workspace/'))).toEqual([]);
    const small = await listed('--workspace-limit', '1KB');
    expect(small).toContain('turn_1/painter/x/workspace/notes.md');
    expect(small).not.toContain('turn_1/painter/x/workspace/large.txt');
    const missing = await exported('--turns', '7');
    expect(missing.code).toBe(1);
    expect(missing.notes).toContain('no such turn');
  });

  it('replaces nothing that is there', async () => {
    cpSync(turns[0] ?? '', join(out, 'shared'), { recursive: true });
    const { code, notes } = await exported('--yes', '--output', 'shared');
    expect(code).toBe(1);
    expect(notes).toContain('is there already');
    expect(existsSync(join(out, 'shared/turn_1'))).toBe(false);
  });
});

describe('words of an export', () => {
  it('name turns', () => {
    expect(['all', 'latest', '3', '2-4', undefined].map(exportTurns)).toEqual([
      ...['all', 'latest', { from: 3, to: 3 }, { from: 2, to: 4 }, 'all'],
    ]);
    for (const word of ['0', '4-2', 'x', '1-', '-1']) {
      expect(() => exportTurns(word)).toThrow('--turns takes');
    }
  });

  it('name sizes', () => {
    expect(['500KB', '2 mb', '1.5MB', '7', '0'].map(exportSize)).toEqual([5e5, 2e6, 1.5e6, 7, 0]);
    for (const word of ['x', '1TB', '-1', '']) {
      expect(() => exportSize(word)).toThrow('--workspace-limit takes');
    }
  });
});

describe('massgen logs', () => {
  it('sums the newest run up', async () => {
    const { code, output } = await stage.massgen('logs');
    expect(code).toBe(0);
    expect(output.split('\n')[0]).toBe(turns[1]);
    expect(output).toContain('Which shade?');
    expect(output).toMatch(/Winner {4}painter \(agent1\.1\)/);
    expect(output).toMatch(/End {7}completed after \d+\.\d s/);
    expect(output).toMatch(/^painter +\S+ +1 /m);
  });

  it('reads a folder that is named, also that of a session, as JSON', async () => {
    const session = dirname(turns[0] ?? '');
    const { output } = await stage.massgen('logs', 'summary', '--log-dir', session, '--json');
    expect(JSON.parse(output)).toMatchObject({
      ...{ log_dir: turns[1], turn: 2, question: 'Which shade?', finish_reason: 'completed' },
      ...{ winner: 'painter', agents: { painter: { answers: 1 } } },
    });
    const first = await stage.massgen('logs', 'summary', '--log-dir', turns[0] ?? '', '--json');
    expect(JSON.parse(first.output)).toMatchObject({ turn: 1 });
    const nothing = await stage.massgen('logs', '--log-dir', out);
    expect(nothing.code).toBe(1);
    expect(nothing.notes).toContain('holds no files of a run');
  });

  it('counts tools, in the order that was asked for', async () => {
    const dir = join(out, 'log_x', 'turn_1');
    mkdirSync(dir, { recursive: true });
    const status = JSON.parse(readFileSync(join(turns[0] ?? '', 'status.json'), 'utf8')) as object;
    const tool = (count: number, ms: number): object => ({
      ...{ call_count: count, success_count: count, failure_count: 1, output_bytes: 0 },
      ...{ total_execution_time_ms: ms, avg_execution_time_ms: ms / count },
    });
    const tools = {
      ...{ total_calls: 7, total_failures: 2, total_execution_time_ms: 310 },
      by_tool: { read_file: tool(5, 10), run_command: tool(2, 300) },
    };
    writeFileSync(join(dir, 'status.json'), JSON.stringify({ ...status, tools }));
    const named = ['--log-dir', out];
    const byTime = await stage.massgen('logs', 'tools', ...named);
    expect(byTime.output).toMatch(/run_command +2 +1 +0\.30 s +0\.15 s\nread_file +5 /);
    const byCalls = await stage.massgen('logs', 'tools', '--sort', 'calls', '--json', ...named);
    expect(JSON.parse(byCalls.output)).toMatchObject({
      total_calls: 7,
      tools: [{ name: 'read_file' }, { name: 'run_command' }],
    });
  });

  it('lists runs with their folders, at most as many as asked for', async () => {
    const all = JSON.parse((await stage.massgen('logs', 'list', '--json')).output) as unknown[];
    expect(all).toMatchObject([
      { turn: 2, question: 'Which shade?', outcome: 'completed', log_dir: turns[1] },
      { turn: 1, question: 'Which color?', outcome: 'completed', log_dir: turns[0] },
    ]);
    const { output } = await stage.massgen('logs', 'list', '--limit', '1');
    expect(output).toContain('Which shade?');
    expect(output).not.toContain('Which color?');
    expect(output).toContain('1 older runs; --limit N lists more.');
  });

  it('names the folder that it would open where nobody sees a window', async () => {
    const result = await stage.massgen('logs', 'open');
    expect(result).toEqual({ code: 0, output: `${turns[1] ?? ''}\n`, notes: '' });
  });
});
