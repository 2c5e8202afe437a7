// npm run soak -- [RUNS] [SEED] [--write]: the properties of coordination on many random runs. The seed that is printed
// repeats them. --write keeps the outcome in bench/RESULTS.md.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { keepFigures } from './results-file.mjs';

const args = process.argv.slice(2);
const [runs = '20000', seed = String(Date.now() % 1_000_000)] = args.filter(
  (arg) => arg !== '--write',
);
process.stdout.write(`${runs} runs of each property, seed ${seed}\n`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    'test/unit/core/coordination/properties.test.ts',
    'test/unit/core/coordination/check-properties.test.ts',
    'test/unit/workspace/confinement/random-operations.test.ts',
  ],
  { stdio: 'inherit', env: { ...process.env, SOAK_RUNS: runs, SOAK_SEED: seed } },
);
if (args.includes('--write')) {
  const outcome = status === 0 ? 'All properties of coordination held' : 'A property failed';
  keepFigures(resolve('bench/RESULTS.md'), {
    title: 'Soak',
    command: 'npm run soak -- --write',
    text: `${outcome} in ${runs} random runs each, seed ${seed}.`,
  });
}
process.exitCode = status ?? 1;
