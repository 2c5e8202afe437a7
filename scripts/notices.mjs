// The licences of the packages whose code is inside the shipped bundles.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const LICENCE_FILE = /^(licen[cs]e|notice|copying)([.-].*)?$/i;

/** Text for THIRD_PARTY_NOTICES.txt; `metafiles` are esbuild's, one per bundle that ships. */
export function notices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const parts = [...folders].sort().map(notice);
  return [`This extension contains code of the following packages.\n`, ...parts].join('\n');
}

/** `node_modules/a/node_modules/@b/c/x.js` belongs to `node_modules/a/node_modules/@b/c`. */
function packageFolder(input) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

function notice(folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, folder)).filter((name) => LICENCE_FILE.test(name));
  const texts = files
    .map((name) => join(root, folder, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim());
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
  return ['-'.repeat(80), title, '', ...texts, ''].join('\n');
}
