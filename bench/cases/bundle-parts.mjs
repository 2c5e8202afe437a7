// The size of each part that is loaded at its first use, beyond what every use of the product has loaded already: the client
// of a service or of a protocol with the code of our own around it.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { activationClosure } from '../../scripts/activation-closure.mjs';

const root = resolve(import.meta.dirname, '..', '..');

/** By part: the module that loads it, and the size of its package when it is bundled alone, KiB. Both protocols of OpenAI share one. */
const parts = {
  openai: ['src/backends/wire/openai.lazy.ts', 386],
  anthropic: ['src/backends/claude/client.lazy.ts', 444],
  gemini: ['src/backends/gemini/client.lazy.ts', 405],
  mcp: ['src/tools/mcp/client.lazy.ts', 316],
  acp: ['src/backends/agents/acp/protocol.lazy.ts', 142],
};

/** What our own code around a package may add. */
const ownShare = 1.05;

export const cases = Object.entries(parts).map(([name, [module, packageKiB]]) => ({
  name: `bundle-${name}`,
  unit: 'KiB',
  budget: Math.round(ownShare * packageKiB),
  measure: async () => [sizeOf(module) / 1024],
}));

const everyUse = 'src/extension/main.lazy.ts';

/** Bytes of the chunk of `module` and of all that it imports at once, without what is loaded by then. */
function sizeOf(module) {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8')).node;
  const loaded = new Set([...activationClosure().files, ...closureOf(everyUse, outputs)]);
  const files = closureOf(module, outputs).filter((file) => !loaded.has(file));
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
}

function closureOf(module, outputs) {
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === module);
  if (entry === undefined) {
    throw new Error(`${module} is in no chunk of its own`);
  }
  const files = new Set([entry]);
  for (const file of files) {
    for (const { path, kind } of outputs[file].imports) {
      if (kind === 'import-statement' && path in outputs) {
        files.add(path); // a set also visits what is added on the way
      }
    }
  }
  return [...files];
}
