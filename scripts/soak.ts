// npm run soak -- [RUNS] [SEED]: the properties of coordination on many random runs. The seed that is printed
// repeats them.
import { spawnSync } from 'node:child_process';

const [runs = '20000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
process.stdout.write(`${runs} runs of each property, seed ${seed}\n`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    'test/unit/core/coordination/properties.test.ts',
  ],
  { stdio: 'inherit', env: { ...process.env, SOAK_RUNS: runs, SOAK_SEED: seed } },
);
process.exitCode = status ?? 1;
