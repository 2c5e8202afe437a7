// What VS Code loads when it activates the extension: dist/extension.js and the chunks that it
// imports statically, as esbuild recorded them. Needs a build.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** `{ files, bytes, packages }`: paths of the bundles, their size on disk, npm packages inside. */
export function activationClosure() {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8')).node;
  const files = new Set(['dist/extension.js']);
  for (const file of files) {
    for (const { path, kind } of outputs[file].imports) {
      if (kind === 'import-statement' && path in outputs) {
        files.add(path); // a set also visits what is added on the way
      }
    }
  }
  const inputs = [...files].flatMap((file) => Object.keys(outputs[file].inputs));
  const packages = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]);
  return {
    files: [...files],
    bytes: [...files].reduce((sum, file) => sum + statSync(join(root, file)).size, 0),
    packages: [...new Set(packages.filter((name) => name !== undefined))].sort(),
  };
}
