// Turns a TypeScript script of this project into one file that Node runs.
import { build } from 'esbuild';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Bundles `entry` (relative to the project) and returns the path of the bundle, made anew. */
export async function bundle(entry) {
  const outfile = join(root, '.cache', 'scripts', `${basename(entry, '.ts')}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    packages: 'external',
    logLevel: 'warning',
    outfile,
  });
  return outfile;
}
