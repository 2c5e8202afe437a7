// What the two ways to run the integration suite share: the folder it works in, and its results.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** The suite writes its outcomes here, in the form of vitest's report. */
export const resultFile = join(root, 'test-results', 'integration.json');

export function removeOldResults() {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  rmSync(resultFile, { force: true });
}

/** A copy of the sample project, because tests write into it; it is removed with this process. */
export function copySample() {
  const scratch = mkdtempSync(join(tmpdir(), 'mgws-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const copy = join(scratch, 'sample-project');
  cpSync(join(root, 'media', 'sample-project'), copy, { recursive: true });
  return copy;
}

/** The titles as the sources have them; running them needs the very thing that is missing. */
export function titles() {
  const folder = join(import.meta.dirname, 'integration');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return sources
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^\s*test\(\s*(['"`])(.+?)\1,/gm),
    ])
    .map(([, , name]) => ({ name }));
}

/** Prints the outcomes; true when there are any, none failed, and VS Code says the same. */
export function report(code) {
  if (!existsSync(resultFile)) {
    process.stdout.write(`the suite did not get to its end: ${code}\n`);
    return false;
  }
  const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8'));
  const outcomes = testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const { status, fullName, failureMessages } of outcomes) {
    process.stdout.write([`${status}: ${fullName}`, ...failureMessages, ''].join('\n'));
  }
  const passed = outcomes.some(({ status }) => status === 'passed');
  return code === 0 && passed && outcomes.every(({ status }) => status !== 'failed');
}
