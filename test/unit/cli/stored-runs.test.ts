// The commands about runs that exist: in this process over one recorded run, and once as they ship.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { dispatch } from '../../../src/cli/dispatch';
import { failureOf } from '../../../src/cli/failure';
import type { World } from '../../../src/cli/world';
import {
  type CliResult,
  finished,
  installCli,
  type InstalledCli,
  printed,
  projectRoot,
  startCli,
} from '../../support/built-cli';

const sampleTask =
  'parseDuration("1h 30m") returns 3600 instead of 5400. Fix it and keep the public API.';

let home: string;
let teams: string;
let project: string;
let team: string;

/** A world of its own per call; `output` is what a person reads on standard output. */
async function massgen(...args: readonly string[]): Promise<CliResult> {
  let output = '';
  let notes = '';
  const world: World = {
    args,
    cwd: home,
    home,
    environment: {},
    platform: 'linux',
    installDir: projectRoot,
    version: '0.0.0',
    output: { write: (text) => (output += text), hasColor: false, width: 100 },
    notes: { write: (text) => (notes += text), hasColor: false, width: 100 },
    input: { stream: process.stdin, isInteractive: false },
    interrupted: new AbortController().signal,
  };
  try {
    const invocation = parseArguments(args);
    return { code: await dispatch(invocation, world), output, notes };
  } catch (error) {
    const { message, hint, exitCode } = failureOf(error);
    return { code: exitCode, output, notes: `${notes}${message}\n${hint ?? ''}` };
  }
}

function teamAt(speed: number): string {
  const text = readFileSync(join(projectRoot, 'configs', 'offline.yaml'), 'utf8');
  // Not in the folder that is worked on, where a file that runs commands is not trusted.
  const file = join(teams, `team-${speed}.yaml`);
  writeFileSync(file, text.replaceAll('speed: 1\n', `speed: ${speed}\n`));
  return file;
}

interface ListedRun {
  readonly run_id: string;
  readonly turn: number;
  readonly outcome: string | null;
}

async function listed(): Promise<
  readonly { readonly session_id: string; readonly runs: readonly ListedRun[] }[]
> {
  const { output } = await massgen('runs', '--json');
  return JSON.parse(output) as Awaited<ReturnType<typeof listed>>;
}

const logOf = (runId: string): string =>
  join(home, '.local/share/massgen/runs', runId, 'run.jsonl');

let recorded: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'massgen-runs-'));
  teams = mkdtempSync(join(tmpdir(), 'massgen-teams-'));
  project = join(home, 'project');
  cpSync(join(projectRoot, 'media', 'sample-project'), project, { recursive: true });
  mkdirSync(join(home, 'tmp'));
  team = teamAt(1000);
  const none = await massgen('runs');
  expect(none.output).toContain('There are no runs in');
  const { code } = await massgen(
    ...['--config', team, '--project', project, '--allow-commands', sampleTask],
  );
  expect(code).toBe(0);
  recorded = (await listed())[0]?.runs[0]?.run_id ?? '';
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(teams, { recursive: true, force: true });
});

describe('massgen replay', () => {
  it('prints the run as it was printed then, and finds it identical', async () => {
    const { code, output } = await massgen('replay', recorded);
    expect(output).toContain(`Replay of ${recorded}`);
    expect(output).toContain('Agent 1 voted agent2.2');
    expect(output).toContain('Decided agent2.2');
    expect(output).toMatch(/identical: \d+ events, nobody was asked\.\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ['the beginning of its id', () => recorded.slice(0, 12)],
    ['latest', () => 'latest'],
    ['the path of its folder', () => logOf(recorded).replace('/run.jsonl', '')],
    ['the path of its log', () => logOf(recorded)],
  ])('takes %s', async (_what, name) => {
    const { code, output } = await massgen('replay', name());
    expect(output).toContain(`Replay of ${recorded}`);
    expect(code).toBe(0);
  });

  it('says that its record is damaged, and shows what differs and not what stands before it', async () => {
    const storage = join(home, 'damaged');
    cpSync(join(logOf(recorded), '..'), join(storage, 'runs', recorded), { recursive: true });
    const log = join(storage, 'runs', recorded, 'run.jsonl');
    // A prompt: without the result of a tool, a turn would already go another way before the decision.
    const prompt = /"turn-opened".*?"sha256":"([0-9a-f]+)"/.exec(readFileSync(log, 'utf8'))?.[1];
    rmSync(join(storage, 'runs', recorded, 'payloads', prompt ?? 'no prompt'));
    const lines = readFileSync(log, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"final-agent-selected"'));
    lines[at] = (lines[at] ?? '').replace('"uninformedBallots":0', '"uninformedBallots":9');
    writeFileSync(log, lines.toSpliced(3, 0, 'not an event').join('\n'));
    const { code, output } = await massgen('replay', log);
    expect(code).toBe(2);
    expect(output.replace(/\s+/g, ' ')).toContain(
      'The record of this run is damaged: 1 line of its log is unreadable, 1 text beside its log cannot be read.',
    );
    expect(output).toMatch(/recorded {2}….*"uninformedBallots":9/);
    expect(output).toMatch(/replayed {2}….*"uninformedBallots":0/);
  });

  it('shows the first difference of a log that was changed, and leaves with 2', async () => {
    const storage = join(home, 'changed');
    const from = join(logOf(recorded), '..');
    cpSync(from, join(storage, 'runs', recorded), { recursive: true });
    const log = join(storage, 'runs', recorded, 'run.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"final-agent-selected"'));
    lines[at] = (lines[at] ?? '').replaceAll('agent2.2', 'agent1.1');
    writeFileSync(log, lines.join('\n'));
    const { code, output } = await massgen('replay', log);
    expect(code).toBe(2);
    expect(output).toMatch(/different from event \d+ on/);
    expect(output).toMatch(/recorded {2}.*agent1\.1/);
    expect(output).toMatch(/replayed {2}.*agent2\.2/);
  });
});

describe('massgen redecide', () => {
  it('says what was decided, what would have been, what changes and what cannot be known', async () => {
    const { code, output } = await massgen('redecide', recorded, '--rule', 'unanimity');
    expect(code).toBe(0);
    const headings = [...output.matchAll(/^(W.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Was decided',
      'Would have been decided',
      'What changes',
      'What only new votes could tell',
    ]);
    expect(output).toContain('agent2.2 won with 2 of 3 votes.');
    expect(output).toContain('3 of 3 would have been needed.');
  });

  it('changes nothing when the other rule comes to the same', async () => {
    const { output } = await massgen('redecide', recorded, '--rule', 'majority');
    expect(output).toMatch(/What changes\n {2}Nothing\./);
  });

  it('says what means nothing to the rule that is tried', async () => {
    const share = ['--threshold', '0.6', '--min-agreement', '2'];
    const { output } = await massgen('redecide', recorded, '--rule', 'majority', ...share);
    const [, idle] = output.split('What has no effect');
    expect(idle).toContain('--threshold means nothing to majority, only to supermajority');
    expect(idle).toContain('--min-agreement means nothing to majority, only to min_agreement.');
    const fitting = ['--rule', 'weighted', '--threshold', '0.6', '--json'];
    const other = await massgen('redecide', recorded, ...fitting);
    expect(JSON.parse(other.output)).toMatchObject({ no_effect: [] });
  });

  it('takes weights by the ids of the team', async () => {
    const { code, output } = await massgen('redecide', recorded, '--weights', 'third=5', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      run_id: recorded,
      before: { winner: 'agent2.2', agreement: { eligibleWeight: 3 } },
      after: { agreement: { eligibleWeight: 7 } },
    });
    const unknown = await massgen('redecide', recorded, '--weights', 'thrid=5');
    expect(unknown.code).toBe(1);
    expect(unknown.notes).toContain('Did you mean third?');
    const none = await massgen('redecide', recorded, '--weights', 'first=0,second=0,third=0');
    expect(none.code).toBe(1);
    expect(none.notes).toContain('No vote would count.');
  });

  it('ends a tie as the profile of the run does', async () => {
    const { output } = await massgen('redecide', recorded, '--tie-break', 'latest', '--json');
    expect(JSON.parse(output)).toMatchObject({ changes: [] });
  });

  it('wants something to try', async () => {
    const { code, notes } = await massgen('redecide', recorded);
    expect(code).toBe(1);
    expect(notes).toContain('There is nothing to try.');
  });
});

describe('massgen patch', () => {
  it('writes what the run proposes into a new file, and leaves one that is there as it is', async () => {
    const file = join(home, 'own.patch');
    const first = await massgen('patch', recorded, '--output', file);
    expect([first.code, first.notes]).toEqual([0, '']);
    expect(readFileSync(file, 'utf8')).toContain('diff --git a/src/duration.js b/src/duration.js');
    writeFileSync(file, 'mine');
    const second = await massgen('patch', recorded, '--output', file);
    expect(second.code).toBe(1);
    expect(second.notes).toContain(`There is already a file ${file}; it is left as it is.`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('a run that is not there', () => {
  it.each([
    ['an unknown id', ['replay', 'nothing'], /There is no run nothing/],
    ['a folder that is none', ['replay', 'project'], /is not a stored run/],
    ['a session', ['x', '--session', 'nothing'], /There is no session nothing/],
  ])('is named: %s', async (_what, args, message) => {
    const more = args.includes('replay') ? [] : ['--config', team];
    const { code, output, notes } = await massgen(...args, ...more);
    expect(notes).toMatch(message);
    expect([code, output]).toEqual([1, '']);
  });
});

describe('a further task', () => {
  it('becomes the next turn of the session, by its folder or by its name', async () => {
    const usual = ['--config', team, '--project', project, '--allow-commands'];
    const second = await massgen(sampleTask, '--continue', ...usual);
    expect(second.output).toContain(`from run ${recorded}`);
    const third = await massgen(sampleTask, '--session', recorded.slice(0, 15), ...usual);
    expect([second.code, third.code]).toEqual([0, 0]);
    expect(third.output).toMatch(/Go on from here: massgen --session-id \S+ "/);
    expect(third.output).toMatch(/Take the changes as a patch: massgen patch \S+ --output /);
    const [session] = await listed();
    expect(session?.session_id).toBe(recorded);
    expect(session?.runs.map(({ turn }) => turn)).toEqual([3, 2, 1]);
    const { output } = await massgen('runs');
    expect(output).toMatch(new RegExp(`${recorded} +3 `));
  });
});

describe('the readable files of a run', () => {
  it('are kept in the project when asked for, where neither git nor the result sees them', async () => {
    const own = join(home, 'own');
    cpSync(join(projectRoot, 'media', 'sample-project'), own, { recursive: true });
    const { code, output } = await massgen(
      ...['--config', team, '--project', own, '--allow-commands', '--log-in-project', sampleTask],
    );
    expect(code).toBe(0);
    const logs = join(own, '.massgen', 'massgen_logs');
    expect(readFileSync(join(logs, '.gitignore'), 'utf8')).toContain('*');
    expect(readdirSync(logs).filter((name) => name.startsWith('log_'))).toHaveLength(1);
    expect(output).toContain('b/src/duration.js');
    expect(output).not.toContain('.massgen');
  });
});

describe('as it ships', () => {
  let install: InstalledCli;
  beforeAll(async () => {
    install = await installCli();
  });

  it('a run that was killed goes on where its log ends, and can be played and decided again', async () => {
    const place = { cwd: home, environment: { HOME: home, TMPDIR: join(home, 'tmp') } };
    const built = (...args: readonly string[]): Promise<CliResult> =>
      finished(startCli(install, [...args, '--storage', join(home, 'killed')], place));
    const slow = teamAt(15);
    const child = startCli(
      install,
      [
        ...['--config', slow, '--project', project, '--allow-commands', sampleTask],
        ...['--storage', join(home, 'killed')],
      ],
      place,
    );
    const ended = finished(child);
    await printed(child, 'new answer');
    child.kill('SIGKILL');
    await ended;

    const resumed = await built('resume', 'latest', '--config', slow, '--allow-commands');
    expect(resumed.notes).toBe('');
    expect(resumed.output).toContain('Going on with ');
    expect(resumed.output).toContain('Decided agent2.2');
    expect(resumed.code).toBe(0);

    const again = await built('resume', 'latest', '--config', slow);
    expect(again.notes).toContain('This run is over');
    expect(again.code).toBe(1);

    const replayed = await built('replay', 'latest');
    expect(replayed.output).toMatch(/identical: \d+ events/);
    expect(replayed.code).toBe(0);

    const redecided = await built('redecide', 'latest', '--rule', 'unanimity');
    expect(redecided.output).toContain('What changes');
    expect(redecided.code).toBe(0);
  });
});
