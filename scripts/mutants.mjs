// npm run test:mutants -- [NAME]: puts each fault of mutants-table.mjs into a copy of the code and runs the tests of
// deciding against it. Fails when a fault is not noticed, or when its place is not found. NAME: only faults with it.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { mutants, withFault } from './mutants-table.mjs';

const root = resolve(import.meta.dirname, '..');
const base = join(root, '.cache/mutants');
const ofChecks = ['checks', 'excluded-answers'].map(
  (name) => `test/unit/core/coordination/${name}.test.ts`,
);
const copied = [
  ...['src/base', 'src/run', 'src/core', 'test/support', 'test/unit/run/decision'],
  ...ofChecks,
];
const include = ['test/unit/run/decision/*.test.ts', ...ofChecks];
const config = `export default {
  test: { include: ${JSON.stringify(include)}, exclude: ['**/redecide.test.ts'], testTimeout: 120_000, bail: 1, maxWorkers: 1 },
};
`;

function workplace(number) {
  const folder = join(base, String(number));
  for (const part of copied) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  for (const part of ['test/webview', 'tsconfig.json']) {
    symlinkSync(join(root, part), join(folder, part));
  }
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
  return folder;
}

/** Answers whether the tests of a copy pass. */
function passes(folder) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--root', folder, '--reporter', 'dot'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  child.stderr.on('data', (part) => (output += part));
  return new Promise((done) =>
    child.on('close', (code) => done({ isPassing: code === 0, output })),
  );
}

async function tryFault(folder, mutant) {
  const file = join(folder, 'src/run/decision', mutant.file);
  const original = readFileSync(file, 'utf8');
  writeFileSync(file, withFault(original, mutant));
  try {
    return (await passes(folder)).isPassing;
  } finally {
    writeFileSync(file, original);
  }
}

rmSync(base, { recursive: true, force: true });
mkdirSync(base, { recursive: true });
const [wanted = ''] = process.argv.slice(2);
const open = mutants.filter(({ name }) => name.includes(wanted));
const total = open.length;
const failures = [];
const healthy = workplace('healthy');
const { isPassing, output } = await passes(healthy);
if (!isPassing) {
  process.stdout.write(
    `${output}\nThe tests fail without any fault; nothing can be said about faults.\n`,
  );
  process.exit(1);
}
const workers = Array.from(
  { length: Math.max(1, Math.min(4, availableParallelism())) },
  async (_, i) => {
    const folder = workplace(i + 1);
    for (let mutant = open.shift(); mutant !== undefined; mutant = open.shift()) {
      try {
        const isUnnoticed = await tryFault(folder, mutant);
        process.stdout.write(`${isUnnoticed ? 'NOT NOTICED' : 'noticed'}  ${mutant.name}\n`);
        failures.push(...(isUnnoticed ? [mutant.name] : []));
      } catch (error) {
        process.stdout.write(`NOT FOUND  ${error.message}\n`);
        failures.push(mutant.name);
      }
    }
  },
);
await Promise.all(workers);
rmSync(base, { recursive: true, force: true });
process.stdout.write(`${total - failures.length} of ${total} faults noticed\n`);
process.exitCode = failures.length === 0 && total > 0 ? 0 : 1;
