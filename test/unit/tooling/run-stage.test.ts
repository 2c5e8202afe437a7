import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runStage } from '../../../scripts/run-stage.mjs';

const folder = mkdtempSync(join(tmpdir(), 'massgen-stage-'));
const report = join(folder, 'report.json');

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const script = (code: string): string[] => [process.execPath, '-e', code];

async function run(stage: object): Promise<{ result: unknown; lines: string[] }> {
  const lines: string[] = [];
  const result: unknown = await runStage({ name: 'sample', ...stage }, (line: string) =>
    lines.push(line),
  );
  return { result, lines };
}

/** A command that leaves this report behind, as a test runner would. */
const reporting = (suites: object[], exitCode: number, said = ''): object => {
  const text = JSON.stringify(JSON.stringify({ testResults: suites }));
  const file = JSON.stringify(report);
  return {
    report,
    commands: [
      script(
        `console.log(${JSON.stringify(said)}); require('fs').writeFileSync(${file}, ${text}); process.exitCode = ${exitCode}`,
      ),
    ],
  };
};

describe('a stage of the tests', () => {
  it('without a report counts as one test, by its exit code', async () => {
    const good = await run({ commands: [script(''), script('')] });
    const bad = await run({ commands: [script('process.exitCode = 3'), script('')] });
    expect([good.result, bad.result]).toEqual([
      { passed: 1, failed: 0, skipped: [], failures: [] },
      { passed: 0, failed: 1, skipped: [], failures: ['its command'] },
    ]);
  });

  it('without a report tells the end of what its command printed', async () => {
    const { result } = await run({
      commands: [script(`console.log('a.ts is wrong'); process.exitCode = 1`)],
    });
    expect(result).toMatchObject({ failures: ['its command\n    a.ts is wrong'] });
  });

  it('never prints a line that looks like the closing line', async () => {
    const { lines } = await run({ commands: [script(`console.log('7 passed, 0 failed')`)] });
    expect(lines).toEqual(['sample | 7 passed, 0 failed']);
  });

  it('counts the tests of its report and names the skipped ones', async () => {
    const assertionResults = [
      { status: 'passed', fullName: 'one' },
      { status: 'failed', fullName: 'two', failureMessages: ['expected 1\n\n  got 2'] },
      { status: 'pending', fullName: 'three' },
    ];
    const { result } = await run(reporting([{ status: 'failed', assertionResults }], 1));
    const failures = ['two\n    expected 1\n      got 2'];
    expect(result).toEqual({ passed: 1, failed: 1, skipped: ['three'], failures });
  });

  it('counts a file that could not be loaded as one failure', async () => {
    const suites = [
      { status: 'failed', assertionResults: [], name: 'a.test.ts', message: 'no such module' },
      { status: 'passed', assertionResults: [{ status: 'passed', fullName: 'one' }] },
    ];
    const { result } = await run(reporting(suites, 1));
    const failures = ['a.test.ts\n    no such module'];
    expect(result).toEqual({ passed: 1, failed: 1, skipped: [], failures });
  });

  it('tells what was printed of a failure around the tests of a file', async () => {
    const suites = [
      {
        status: 'failed',
        assertionResults: [{ status: 'skipped', fullName: 'one' }],
        name: 'a.test.ts',
        message: '',
      },
    ];
    const said = [' FAIL  a.test.ts > a page', 'Error: the window did not open', ' at open'];
    const { result } = await run(reporting(suites, 1, said.join('\n')));
    const failures = ['a.test.ts\n    Error: the window did not open\n     at open'];
    expect(result).toEqual({ passed: 0, failed: 1, skipped: ['one'], failures });
  });

  it('counts a bad exit code that no test explains as one failure', async () => {
    const assertionResults = [{ status: 'passed', fullName: 'one' }];
    const { result } = await run(reporting([{ status: 'passed', assertionResults }], 1));
    const failures = ['its command ended with an error that no test explains'];
    expect(result).toEqual({ passed: 1, failed: 1, skipped: [], failures });
  });

  it('fails when its command leaves no report, even if an older one is there', async () => {
    writeFileSync(report, JSON.stringify({ testResults: [] }));
    const { result } = await run({ report, commands: [script('process.exitCode = 1')] });
    expect(result).toMatchObject({ passed: 0, failed: 1, skipped: [] });
  });

  it('is ended when it prints nothing any more, and fails with its last words', async () => {
    const { result } = await run({
      silence: 300,
      commands: [script(`console.log('about to hang'); setInterval(() => {}, 1000)`)],
    });
    expect(result).toEqual({
      ...{ passed: 0, failed: 1, skipped: [] },
      failures: [expect.stringContaining('nothing was printed for')],
    });
  });

  it('that cannot run here lists its tests by name, with the reason', async () => {
    const { result } = await run({
      skip: () => 'no browser',
      list: script(`console.log(JSON.stringify([{ name: 'one' }, { name: 'two' }]))`),
      commands: [script('process.exitCode = 1')],
    });
    expect(result).toEqual({
      passed: 0,
      failed: 0,
      skipped: ['one (no browser)', 'two (no browser)'],
      failures: [],
    });
  });
});
