import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const jsx = { oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } } as const;

/**
 * Limits end what hangs; they are far above what a busy machine needs, and no test measures. A poll that has no limit of
 * its own would give up after a second, which is less than a program takes to start on such a machine.
 */
const patience = { expect: { poll: { timeout: 60_000, interval: 20 } } };

/** Most of what takes long waits for programs or the disk: a small machine does two files at once as well. */
const maxWorkers = Math.max(2, availableParallelism());

const suite = (name: string, include: string[], globalSetup: string[] = []) => ({
  ...jsx,
  test: {
    ...{ name, include, globalSetup, maxWorkers, testTimeout: 120_000, hookTimeout: 120_000 },
    ...patience,
  },
});

/** A suite that drives a browser runs one file at a time. */
const browser = (name: string, include: string[]) => ({
  ...jsx,
  test: {
    ...{ name, include, fileParallelism: false, testTimeout: 120_000, hookTimeout: 240_000 },
    ...patience,
  },
});

export default defineConfig({
  test: {
    projects: [
      suite('unit', ['test/unit/**/*.test.{ts,tsx}'], ['test/support/run-folder.ts']),
      suite('contract', ['test/contract/**/*.test.ts']),
      suite('golden', ['test/golden/**/*.test.ts']),
      // Needs programs that are installed by `npm run test:agents` alone.
      suite('agents', ['test/agents/*.test.ts']),
      suite('package', ['test/package/**/*.test.ts']),
      browser('webview', ['test/webview/**/*.test.{ts,tsx}']),
      browser('e2e', ['test/vscode/e2e/**/*.test.ts']),
    ],
  },
});
