// node scripts/test.mjs [--fast | STAGE...]: runs the stages in their order (those that only read two
// at a time), all of them even when one fails, and closes with one line: `N passed, N failed`
// (`, N skipped` if any).
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { bootstrap, say } from './bootstrap.mjs';
import { ensureDebianPackages } from './debian-packages.mjs';
import { runStage } from './run-stage.mjs';
import { STAGES } from './stages.mjs';

const root = resolve(import.meta.dirname, '..');
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.on(signal, () => process.exit(128 + number)); // the exit handlers end what still runs
}

const stages = selectStages(process.argv.slice(2));
bootstrap({ build: false });
mkdirSync(resolve(root, 'test-results'), { recursive: true });
if (stages.some((stage) => stage.skip !== undefined)) {
  ensureDebianPackages(say);
}
if (stages.some((stage) => stage.harness)) {
  await prepareHarness();
}

const total = { passed: 0, failed: 0, skipped: [], failures: [] };
const waiting = [...stages];
while (waiting.length > 0) {
  const readers = waiting.findIndex((stage) => stage.onlyReads !== true);
  const next = waiting.splice(0, readers === -1 ? waiting.length : Math.max(1, readers));
  await Promise.all([play(next), play(next)]);
}

write('');
for (const test of total.skipped) {
  write(`skipped: ${test}`);
}
for (const failure of total.failures) {
  write(`failed: ${failure}`); // again: whoever keeps only the end of a log must find them
}
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
write(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function selectStages(args) {
  if (args.includes('--fast')) {
    return STAGES.filter((stage) => stage.fast);
  }
  const unknown = args.find((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown !== undefined) {
    say(`there is no stage ${unknown}; there are ${STAGES.map(({ name }) => name).join(', ')}`);
    process.exit(1);
  }
  return args.length > 0 ? STAGES.filter((stage) => args.includes(stage.name)) : STAGES;
}

/** Plays one stage after the other until none is left; two of these share what may run at the same time. */
async function play(next) {
  for (let stage = next.shift(); stage !== undefined; stage = next.shift()) {
    write(`\n== ${stage.name}`);
    const started = Date.now();
    const { passed, failed, skipped, failures } = await runStage(stage, write);
    total.passed += passed;
    total.failed += failed;
    total.skipped.push(...skipped.map((test) => `${stage.name}: ${test}`));
    total.failures.push(...failures.map((test) => `${stage.name}: ${test}`));
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    write(
      `== ${stage.name}: ${passed} ok, ${failed} bad, ${skipped.length} left out, ${seconds} s`,
    );
  }
}

/** A failure shows again, and is counted, in each stage that needs the harness. */
async function prepareHarness() {
  const { install, unsupported } = await import('../test/vscode/install.mjs');
  try {
    if (unsupported() === undefined) {
      install();
    }
  } catch (error) {
    say(`the VS Code of the tests could not be installed: ${error.message}`);
  }
}

function write(line) {
  process.stdout.write(`${line}\n`);
}
