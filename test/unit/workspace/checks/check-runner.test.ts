import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { raceAbort } from '../../../../src/base/abort';
import { MassGenError } from '../../../../src/core/errors';
import type { CommandResult } from '../../../../src/core/ports/workspace';
import type { CheckReport } from '../../../../src/run/check-facts';
import { bytes, fingerprint, never } from '../temp-project';
import { benchWith, changed, check, type CheckBench, ignored, short } from './check-bench';

const sum = 'exports.sum = (a, b) => a + b;\n';
const sumTest =
  "const { sum } = require('../src/sum.js');\nif (sum(1, 2) !== 3) throw new Error('sum is wrong');\n";
const project = {
  'package.json': '{ "scripts": { "test": "node test/sum.test.js" } }\n',
  'src/sum.js': sum,
  'test/sum.test.js': sumTest,
};
const tests = check('tests', 'node test/sum.test.js');

const shortOf = ({ results }: CheckReport): readonly string[] => results.map(short);

async function after(
  bench: CheckBench,
  files: Readonly<Record<string, string | null>>,
): Promise<CheckReport> {
  const id = await bench.snapshot(async (agent) => {
    for (const [path, text] of Object.entries(files)) {
      await (text === null
        ? agent.deleteFile(path, never)
        : agent.writeFile(path, bytes(text), never));
    }
  });
  return bench.runner.candidate(id, ignored, never);
}

describe('checks of a candidate', () => {
  test('are compared with the untouched folders, in the order of the settings', async () => {
    const specs = [tests, check('old fault', 'exit 3'), check('mended', 'test -f new.txt')];
    const bench = benchWith(project, specs);
    const baseline = await bench.runner.baseline(ignored, never);
    expect(shortOf(baseline)).toEqual([
      'tests passed unknown',
      'old fault failed unknown',
      'mended failed unknown',
    ]);
    expect(baseline.results.map(({ exitCode }) => exitCode)).toEqual([0, 3, 1]);
    const broken = { 'src/sum.js': sum.replace('+', '-'), 'new.txt': 'x' };
    expect(shortOf(await after(bench, broken))).toEqual([
      'tests failed regression',
      'old fault failed same',
      'mended passed fixed',
    ]);
  });

  test('tell each result as it ends and wait for the baseline', async () => {
    const bench = benchWith(project, [tests, check('second', 'true')]);
    const told: string[] = [];
    const id = await bench.snapshot(async (agent) => agent.writeFile('a', bytes('a'), never));
    await Promise.all([
      bench.runner.candidate(id, (result) => told.push(`candidate ${short(result)}`), never),
      bench.runner.baseline((result) => told.push(`base ${short(result)}`), never),
    ]);
    expect(told.filter((one) => one.startsWith('candidate'))).toEqual([
      'candidate tests passed same',
      'candidate second passed same',
    ]);
    expect(told.filter((one) => one.startsWith('base'))).toEqual([
      'base tests passed unknown',
      'base second passed unknown',
    ]);
  });

  test('leave the user’s folder as it is and nothing behind', async () => {
    const bench = benchWith(project, [
      check('writes', 'echo x > made && rm -rf src && echo y >> package.json'),
    ]);
    const before = fingerprint(bench.project);
    await after(bench, { a: 'a' });
    await bench.runner.close();
    expect(fingerprint(bench.project)).toEqual(before);
    expect(foldersOf(bench)).toEqual([]);
  });

  test('do not see what another check left in its tree', async () => {
    const bench = benchWith(project, [
      check('first', 'echo x > made'),
      check('second', 'test ! -e made'),
    ]);
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual([
      'first passed same',
      'second passed same',
    ]);
  });

  test('say what ran too long', async () => {
    const bench = benchWith(project, [check('slow', 'sleep 30', { timeoutMs: 200 })]);
    const { results } = await bench.runner.baseline(ignored, never);
    expect(results.map(({ status, exitCode }) => [status, exitCode])).toEqual([
      ['timed-out', null],
    ]);
  });

  test('are not run where the files were not kept', async () => {
    const bench = benchWith(project, [tests]);
    const report = await bench.runner.candidate('0'.repeat(64), ignored, never);
    expect(shortOf(report)).toEqual(['tests not-run unknown']);
    expect(report.results[0]?.tail).toBe('The files of this answer were not kept.');
  });
});

describe('tests that a candidate changed', () => {
  const cheat = sumTest.replace('!== 3', '!== -1');

  test('are put back for a gate and left for a check that only informs', async () => {
    const bench = benchWith(project, [tests, { ...tests, name: 'own', mode: 'inform' }]);
    const report = await after(bench, {
      'src/sum.js': sum.replace('+', '-'),
      'test/sum.test.js': cheat,
    });
    expect(shortOf(report)).toEqual(['tests failed regression', 'own passed same']);
    expect(report.tests).toEqual({
      edited: ['proj/test/sum.test.js'],
      deleted: [],
      skipped: [],
      isRestored: true,
    });
  });

  test('come back when they were deleted, also with a file in the place of their folder', async () => {
    const bench = benchWith(project, [tests]);
    const id = await bench.snapshot(async (agent) => {
      await agent.writeFile('src/sum.js', bytes(sum.replace('+', '-')), never);
      const command = 'rm -r test && echo in the way > test';
      await agent.runCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never);
    });
    const report = await bench.runner.candidate(id, ignored, never);
    expect(shortOf(report)).toEqual(['tests failed regression']);
    expect(report.tests.deleted).toEqual(['proj/test/sum.test.js']);
  });

  test('are named when more of them are skipped', async () => {
    const bench = benchWith({ ...project, 'test/it.test.js': 'it("a", f);\nit.skip("b", f);\n' }, [
      tests,
    ]);
    const report = await after(bench, {
      'test/it.test.js': 'it.skip("a", f);\nit.skip("b", f);\n',
    });
    expect(report.tests.skipped).toEqual(['proj/test/it.test.js']);
    expect(report.tests.edited).toEqual(['proj/test/it.test.js']);
  });

  test('stay when they are new', async () => {
    const bench = benchWith(project, [check('new', 'node test/new.test.js')]);
    const report = await after(bench, { 'test/new.test.js': 'process.exit(0);\n' });
    expect(shortOf(report)).toEqual(['new passed fixed']);
    expect(report.tests.edited).toEqual([]);
    expect(report.tests.isRestored).toBe(false);
  });

  test('count with the scripts of package.json, whose new ones stay', async () => {
    const specs = [
      check('script', `node -p "require('./package.json').scripts.test" | grep -q sum.test`),
    ];
    const bench = benchWith(project, specs);
    const scripts = { test: 'true', lint: 'eslint' };
    const report = await after(bench, { 'package.json': JSON.stringify({ scripts, name: 'n' }) });
    expect(shortOf(report)).toEqual(['script passed same']);
    expect(report.tests.edited).toEqual(['proj/package.json']);
    expect(report.tests.isRestored).toBe(true);
  });

  test('are told apart from other files that say what a check does, which stay', async () => {
    const makefile = 'test:\n\tnode test/sum.test.js\n';
    const bench = benchWith({ ...project, Makefile: makefile }, [
      check('recipe', 'grep -q true Makefile'),
    ]);
    const report = await after(bench, {
      Makefile: 'test:\n\ttrue\n',
      'jest.config.js': 'module.exports = { testPathIgnorePatterns: [""] };\n',
      'src/sum.js': sum.replace('+', '-'),
    });
    expect(shortOf(report)).toEqual(['recipe passed fixed']);
    expect(report.tests).toEqual({
      ...{ edited: [], deleted: [], skipped: [], isRestored: false },
      rules: ['proj/Makefile', 'proj/jest.config.js'],
    });
  });

  test('make the tree of the base when nothing else was changed, which is not checked again', async () => {
    const bench = benchWith(project, [tests]);
    await bench.runner.baseline(ignored, never);
    expect(shortOf(await after(bench, { 'test/sum.test.js': cheat }))).toEqual([
      'tests passed same cached',
    ]);
  });
});

describe('results', () => {
  test('are kept by tree and command, for the next process too', async () => {
    const bench = benchWith(project, [tests]);
    const id = await bench.snapshot(async (agent) => agent.writeFile('a', bytes('a'), never));
    expect(shortOf(await bench.runner.candidate(id, ignored, never))).toEqual([
      'tests passed same',
    ]);
    const told: string[] = [];
    const again = await bench.again().candidate(id, (result) => told.push(short(result)), never);
    expect(shortOf(again)).toEqual(['tests passed same cached']);
    expect(told).toEqual(['tests passed same cached']);
  });

  test('are found again behind a line that was cut off', async () => {
    const bench = benchWith(project, [tests]);
    await bench.runner.baseline(ignored, never);
    const file = join(bench.run.dir, 'run-1', 'checks.jsonl');
    writeFileSync(file, `{"v":1,"key":"cut\n${readFileSync(file, 'utf8')}`);
    expect(shortOf(await bench.again().baseline(ignored, never))).toEqual([
      'tests passed unknown cached',
    ]);
  });

  test('hold the last lines, and the whole output beside the run', async () => {
    const bench = benchWith(
      project,
      [check('long', 'seq 1 2000; pwd; printf "\\033[31mred\\033[0m"')],
      {
        redact: (text) => text.replaceAll('1999', 'secret removed'),
      },
    );
    const { results } = await bench.runner.baseline(ignored, never);
    const [result] = results;
    expect(result?.tail.length).toBeLessThanOrEqual(2000);
    expect(result?.tail.split('\n').slice(-4)).toEqual([
      'secret removed',
      '2000',
      expect.stringMatching(/^(<workspace>\/proj|.*\/massgen-test-[^/]+)$/),
      'red',
    ]);
    expect(result?.tail).toMatch(/^\d+\n/);
    const whole = result?.output === undefined ? '' : (bench.payloads.get(result.output) ?? '');
    expect(whole.startsWith('1\n2\n3\n')).toBe(true);
    expect(whole.endsWith('red')).toBe(true);
    expect(whole).not.toContain('1999');
  });

  test('that fail anew are asked for once more, and pass when that passes', async () => {
    const codes = [0, 1, 0];
    const bench = benchWith(project, [tests], { wrap: ending(codes) });
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual(['tests passed same flaky']);
    expect(codes).toEqual([]);
  });

  test('that fail twice stay failed', async () => {
    const codes = [0, 1, 2];
    const bench = benchWith(project, [tests], { wrap: ending(codes) });
    const report = await after(bench, { a: 'a' });
    expect(shortOf(report)).toEqual(['tests failed regression']);
    expect(codes).toEqual([]);
  });

  test('that failed before, and failed again, are asked for once of an answer', async () => {
    const codes = [1, 1, 1, 0];
    const bench = benchWith(project, [tests], { wrap: ending(codes) });
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual(['tests failed same']);
    expect(codes).toEqual([0]);
  });

  test('that failed by chance on the untouched folders keep nobody in who fails them', async () => {
    const codes = [1, 0, 1, 1];
    const bench = benchWith(project, [tests], { wrap: ending(codes) });
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual(['tests failed regression']);
    expect(codes).toEqual([]);
  });
});

describe('what cannot be run on a candidate', () => {
  /** The first tree is the untouched folder. */
  const breakingIn = (broken: readonly number[]): ReturnType<typeof changed> => {
    let tree = 0;
    return changed(() => ({
      async runCommand(): Promise<CommandResult> {
        if (broken.includes(tree++)) {
          throw new MassGenError('tool/failed', 'What it left cannot be looked at.');
        }
        return endedWith(0);
      },
    }));
  };

  test('has failed there when it passes on the untouched folders, and is tried again by the next process', async () => {
    const bench = benchWith(project, [tests], { wrap: breakingIn([1, 2]) });
    const id = await bench.snapshot(async (agent) => agent.writeFile('a', bytes('a'), never));
    const { results } = await bench.runner.candidate(id, ignored, never);
    expect(results.map(short)).toEqual(['tests failed regression']);
    expect(results[0]?.tail).toBe(
      'It could not be run on this answer, although it can on the untouched folders. What it left cannot be looked at.',
    );
    expect(shortOf(await bench.again().candidate(id, ignored, never))).toEqual([
      'tests passed same',
    ]);
  });

  test('passes when it can be run the second time', async () => {
    const bench = benchWith(project, [tests], { wrap: breakingIn([1]) });
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual(['tests passed same flaky']);
  });

  test('says nothing when it cannot be run on the untouched folders either', async () => {
    const bench = benchWith(project, [tests], { wrap: breakingIn([0, 1]) });
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual(['tests not-run unknown']);
  });

  test('says nothing when nobody allows it any more', async () => {
    const words = [true, false];
    const bench = benchWith(project, [tests], { decide: () => words.shift() });
    expect(shortOf(await after(bench, { a: 'a' }))).toEqual(['tests not-run unknown']);
  });
});

describe('checks on folders that may have changed since', () => {
  test('are run again, and compared with what the folders were at the start', async () => {
    const bench = benchWith(project, [tests]);
    const id = await bench.snapshot(async (agent) => agent.writeFile('a', bytes('a'), never));
    expect(shortOf(await bench.runner.candidate(id, ignored, never))).toEqual([
      'tests passed same',
    ]);
    writeFileSync(join(bench.project, 'src/sum.js'), sum.replace('+', '-'));
    const later = bench.again({ isLater: true });
    expect(shortOf(await later.candidate(id, ignored, never))).toEqual(['tests failed regression']);
    expect(shortOf(await bench.again().candidate(id, ignored, never))).toEqual([
      'tests passed same cached',
    ]);
  });
});

describe('what may run', () => {
  test('is what the rules for commands allow, asked with the folder it runs in', async () => {
    const asked: unknown[] = [];
    const bench = benchWith(project, [tests], {
      decide: ({ command, neutralCwd }) => {
        asked.push([command, neutralCwd]);
        return false;
      },
    });
    const { results } = await bench.runner.baseline(ignored, never);
    expect(results.map(short)).toEqual(['tests not-run unknown']);
    expect(results[0]?.tail).toMatch(/not allowed/);
    expect(asked).toHaveLength(1);
  });

  test('needs no word where commands are confined, and one where they are not', async () => {
    const as = (unconfinedReason: string | null): CheckBench =>
      benchWith(project, [tests], {
        decide: () => undefined,
        wrap: changed(() => ({ unconfinedReason })),
      });
    const confined = await as(null).runner.baseline(ignored, never);
    expect(confined.results.map(({ status }) => status)).not.toContain('not-run');
    const open = await as('no sandbox here').runner.baseline(ignored, never);
    expect(open.results.map(short)).toEqual(['tests not-run unknown']);
    expect(open.results[0]?.tail).toBe(
      'Its command is not confined here and was not allowed: no sandbox here',
    );
  });
});

describe('the end', () => {
  test('comes with the signal: nothing of a check runs or stays', async () => {
    const bench = benchWith(project, [check('endless', `sleep 600`)]);
    const stop = new AbortController();
    const reason = new MassGenError('cancelled/user', 'Stopped.');
    const running = bench.runner.baseline(ignored, stop.signal);
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await bench.runner.close();
    expect(foldersOf(bench)).toEqual([]);
  });

  test('reaches a candidate that waits for its place, and no other', async () => {
    let release = ignored;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const wrap = changed(() => ({
      async runCommand(_request, signal): Promise<CommandResult> {
        begun += 1;
        if (begun > 1) {
          await raceAbort(released, signal);
        }
        return endedWith(0);
      },
    }));
    const bench = benchWith({ 'src/a': 'a' }, [check('slow', 'true')], { places: 1, wrap });
    const first = await bench.snapshot(async (agent) => agent.writeFile('b', bytes('1'), never));
    const second = await bench.snapshot(async (agent) => agent.writeFile('b', bytes('2'), never));
    await bench.runner.baseline(ignored, never);
    const stop = new AbortController();
    const running = bench.runner.candidate(first, ignored, never);
    const waiting = bench.runner.candidate(second, ignored, stop.signal);
    stop.abort(new MassGenError('cancelled/user', 'Stopped.'));
    await expect(waiting).rejects.toThrow('Stopped.');
    release();
    expect(shortOf(await running)).toEqual(['slow passed same']);
    expect(begun).toBe(2);
  });
});

function endedWith(exitCode: number): CommandResult {
  return { exitCode, isTimedOut: false, output: '', outputBytes: 0 };
}

/** Commands end with these codes, one after the other. */
function ending(codes: number[]): ReturnType<typeof changed> {
  return changed(() => ({ runCommand: async () => endedWith(codes.shift() ?? 99) }));
}

function foldersOf({ run }: CheckBench): readonly string[] {
  const dir = join(run.dir, 'run-1');
  return existsSync(dir)
    ? readdirSync(dir, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}
