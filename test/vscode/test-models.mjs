// The language models of the tests live in an extension of their own, because only a manifest can
// announce a provider. The server takes it for one of its built-in extensions.
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { harnessPaths } from './install.mjs';

export const testExtension = join(import.meta.dirname, 'test-extension');

/** Server arguments that add the test extension; the folder they name is removed with this process. */
export function withTestModels() {
  const { builtins } = harnessPaths();
  const folder = mkdtempSync(join(tmpdir(), 'mgx-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(builtins)) {
    symlinkSync(join(builtins, name), join(folder, name));
  }
  symlinkSync(testExtension, join(folder, 'massgen-test-models'));
  return ['--builtin-extensions-dir', folder];
}
