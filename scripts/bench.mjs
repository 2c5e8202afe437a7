// npm run bench [-- --gate] [--write] [NAME...]: measures and compares with the budgets.
//
// A file in bench/cases (.mjs or .ts) exports `cases`, a list of { name, unit, budget, measure }:
// `measure()` resolves with the samples, and their p95 is compared with `budget`; a case without one
// is there to be compared with. NAME selects by the start of a case's name. Over budget is reported,
// and fails only with --gate. --write keeps the table in bench/RESULTS.md, with NAME in a section of its own.
import { readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, say } from './bootstrap.mjs';
import { bundle } from './bundle.mjs';
import { keepFigures } from './results-file.mjs';

const root = resolve(import.meta.dirname, '..');
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.on(signal, () => process.exit(128 + number)); // the exit handlers end servers
}

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
bootstrap({ production: true });

const rows = [['case', 'n', 'median', 'p95', 'budget', 'load', 'result']];
for (const each of await loadCases()) {
  say(`measuring ${each.name}`);
  rows.push(await measured(each));
}
const table = format(rows);
process.stdout.write(`${table}\n`);
if (args.includes('--write')) {
  const command = ['npm run bench -- --write', ...names].join(' ');
  // What was measured by name stands beside the whole, and does not take its place.
  const title = names.length === 0 ? 'Bench' : `Bench, ${names.join(' ')}`;
  keepFigures(join(root, 'bench', 'RESULTS.md'), { title, command, text: table });
}
const allOk = rows.slice(1).every((row) => row.at(-1) === 'ok');
process.exit(args.includes('--gate') && !allOk ? 1 : 0);

async function loadCases() {
  const folder = join(root, 'bench', 'cases');
  const all = [];
  for (const name of readdirSync(folder).sort()) {
    const file = join('bench', 'cases', name);
    const script = name.endsWith('.ts') ? await bundle(file) : join(root, file);
    all.push(...(await import(pathToFileURL(script).href)).cases);
  }
  const wanted = (each) => names.length === 0 || names.some((name) => each.name.startsWith(name));
  return all.filter(wanted);
}

/** A case that throws is a row too: its message stands where the verdict would. */
async function measured({ name, unit, budget, measure }) {
  const load = () => loadavg()[0].toFixed(1);
  try {
    const samples = (await measure()).sort((a, b) => a - b);
    const p95 = quantile(samples, 0.95);
    const inUnits = (value) => (value === undefined ? '' : `${round(value)} ${unit}`);
    const shown = [quantile(samples, 0.5), p95, budget].map(inUnits);
    const isOver = budget !== undefined && p95 > budget;
    return [name, String(samples.length), ...shown, load(), isOver ? 'over' : 'ok'];
  } catch (error) {
    return [
      name,
      '0',
      '',
      '',
      budget === undefined ? '' : `${budget} ${unit}`,
      load(),
      `failed: ${error.message}`,
    ];
  }
}

/** The smallest sample that at least the given part of all samples does not exceed. */
function quantile(sorted, part) {
  if (sorted.length === 0) {
    throw new Error('there are no samples');
  }
  return sorted[Math.ceil(part * sorted.length) - 1];
}

function round(value) {
  return Number(value.toPrecision(4));
}

/** A Markdown table whose columns also line up in a terminal. */
function format(lines) {
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  const text = (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [text(lines[0]), rule, ...lines.slice(1).map(text)].join('\n');
}
