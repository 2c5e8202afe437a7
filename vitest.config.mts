import { defineConfig } from 'vitest/config';

const jsx = { oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } } as const;

/** A suite that drives a browser: one file at a time, and time enough for a busy machine. */
const browser = (name: string, include: string[]) => ({
  ...jsx,
  test: { name, include, fileParallelism: false, testTimeout: 120_000, hookTimeout: 240_000 },
});

export default defineConfig({
  test: {
    projects: [
      { ...jsx, test: { name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}'] } },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'] } },
      { test: { name: 'golden', include: ['test/golden/**/*.test.ts'] } },
      { test: { name: 'package', include: ['test/package/**/*.test.ts'] } },
      browser('webview', ['test/webview/**/*.test.{ts,tsx}']),
      browser('e2e', ['test/vscode/e2e/**/*.test.ts']),
    ],
  },
});
