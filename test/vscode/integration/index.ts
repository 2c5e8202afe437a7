// VS Code loads this module inside the extension host and awaits `run`. The desktop VS Code does
// the same with it, so the suite is the same in both.
import Mocha from 'mocha';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Outcome {
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'pending';
  readonly failureMessages: readonly string[];
}

/** Collects only: the extension host prints a reporter's format strings as they are. */
class SilentReporter extends Mocha.reporters.Base {}

/**
 * Runs every `*.test.js` beside this file, writes the outcomes to the file that
 * MASSGEN_TEST_RESULTS names (the form of vitest's report), and rejects when a test failed.
 * MASSGEN_TEST_GREP, when set, selects tests by title.
 */
export async function run(): Promise<void> {
  const { MASSGEN_TEST_GREP: grep, MASSGEN_TEST_RESULTS: file } = process.env;
  const mocha = new Mocha({
    ui: 'tdd',
    timeout: 60_000,
    reporter: SilentReporter,
    ...(grep ? { grep } : {}),
  });
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  }
  const outcomes: Outcome[] = [];
  const failures = await new Promise<number>((done) => collect(mocha.run(done), outcomes));
  if (file !== undefined) {
    writeFileSync(file, JSON.stringify({ testResults: [{ assertionResults: outcomes }] }));
  }
  if (failures > 0) throw new Error(`${String(failures)} tests failed`);
}

function collect(runner: Mocha.Runner, outcomes: Outcome[]): void {
  const add = (status: Outcome['status'], test: Mocha.Test, ...failureMessages: string[]): void => {
    outcomes.push({ fullName: test.fullTitle(), status, failureMessages });
  };
  runner.on('pass', (test) => add('passed', test));
  runner.on('pending', (test) => add('pending', test));
  runner.on('fail', (test, error: unknown) => {
    add('failed', test, error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}
