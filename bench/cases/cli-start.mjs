// How long the command line takes to its first line, in times of a Node that does nothing: `--help` without a team file,
// `--validate` with one. Both are measured in turns, so that a busy machine slows both down.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');
const cli = resolve(root, 'dist/cli.js');
const team = resolve(root, 'configs/three-providers.yaml');
/** A sample is the quotient of two medians: one slow start says nothing. */
const STARTS = 11;
const SAMPLES = 5;

export const cases = [
  { name: 'cli-help-of-node', unit: 'x', budget: 2, measure: () => timesOfNode(['--help']) },
  {
    name: 'cli-validate-of-node',
    unit: 'x',
    budget: 3,
    measure: () => timesOfNode(['--validate', team]),
  },
];

async function timesOfNode(args) {
  const samples = [];
  while (samples.length < SAMPLES) {
    const own = [];
    const plain = [];
    for (let n = 0; n < STARTS; n++) {
      plain.push(await toEnd(['-e', '0']));
      own.push(await toFirstLine([cli, ...args]));
    }
    samples.push(median(own) / median(plain));
  }
  return samples;
}

async function toEnd(args) {
  const begun = performance.now();
  await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'close');
  return performance.now() - begun;
}

async function toFirstLine(args) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  const ms = performance.now() - begun;
  await ended;
  return ms;
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
