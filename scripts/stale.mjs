// Tells whether dist/ was built from the sources as they are now. Node built-ins only.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const stampFile = join(root, 'dist', '.stamp.json');

/** What the bundles are made from; a folder stands for all files under it. */
const SOURCES = [
  ...['src', 'webview', 'scripts/notices.mjs', 'scripts/api-types.mjs', 'esbuild.mjs'],
  'package-lock.json',
];

/** A hash over path, size and modification time of every source file. */
export function sourcesHash() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesUnder(source))) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!statSync(join(root, path)).isDirectory()) {
    return [path];
  }
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((found) => found.isFile())
    .map((found) => relative(root, join(found.parentPath, found.name)))
    .sort();
}

export function writeStamp(hash, production) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ hash, production }));
}

/** True when dist/ is current; with `production`, only when it is also a production build. */
export function isFresh({ production = false } = {}) {
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
    return stamp.hash === sourcesHash() && (stamp.production || !production);
  } catch {
    return false; // never built, or the file is not readable
  }
}
