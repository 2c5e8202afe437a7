// The size of what is installed and of what activation loads.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { activationClosure } from '../../scripts/activation-closure.mjs';

const root = resolve(import.meta.dirname, '..', '..');

/** Packages that talk to a model service; each is loaded by its backend's first use only. */
const SDKS = ['openai', '@anthropic-ai/sdk', '@google/genai'];

export const cases = [
  {
    name: 'vsix-size',
    unit: 'MB',
    budget: 3,
    measure: async () => {
      execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: root, stdio: 'ignore' });
      return [statSync(resolve(root, 'dist/massgen.vsix')).size / 1e6];
    },
  },
  {
    name: 'activation-bundle',
    unit: 'KB',
    budget: 200,
    measure: async () => [activationClosure().bytes / 1e3],
  },
  {
    name: 'activation-sdks',
    unit: 'SDKs',
    budget: 0,
    measure: async () => [
      activationClosure().packages.filter((name) => SDKS.includes(name)).length,
    ],
  },
];
