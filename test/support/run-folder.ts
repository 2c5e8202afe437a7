// Set up once for a run of the tests: a folder for what its files make once and share. It goes with the run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly runFolder: string;
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'massgen-tests-'));
  provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
