// npm run soak -- [RUNS] [SEED] [--write]: the properties of coordination, commands and reviews on many random runs. The seed that is printed
// repeats them. --write keeps the outcome in bench/RESULTS.md.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { keepFigures } from './results-file.mjs';

const args = process.argv.slice(2);
const [runs = '20000', seed = String(Date.now() % 1_000_000)] = args.filter(
  (arg) => arg !== '--write',
);
// Each of three properties of the review plays so many stories on a real project; by default 2,000 in all.
const reviews = String(Math.ceil(Number(runs) / 30));
// Files that are gone in a moment need no disk, and a review waits for the disk at each step.
const memory = existsSync('/dev/shm') ? { TMPDIR: '/dev/shm' } : {};
process.stdout.write(`${runs} runs of each property, seed ${seed}; ${reviews} reviews of each\n`);
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
    'test/unit/workspace/review/review-invariants.test.ts',
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...memory,
      ...{ SOAK_RUNS: runs, SOAK_SEED: seed, SOAK_REVIEWS: reviews },
    },
  },
);
if (args.includes('--write')) {
  const outcome =
    status === 0
      ? 'All properties of coordination, commands and reviews held'
      : 'A property failed';
  keepFigures(resolve('bench/RESULTS.md'), {
    title: 'Soak',
    command: 'npm run soak -- --write',
    text: `${outcome}: ${runs} random runs for each property of coordination and checks, ${reviews} reviews for each of its three, 1500 operations of a shell in each view. Seed ${seed}.`,
  });
}
process.exitCode = status ?? 1;
