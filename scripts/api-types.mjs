// The published types of `import … from 'massgen'`, in one file that imports nothing.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

/** In the order in which they build on each other; they import only one another. */
const PARTS = ['contract', 'event-contract', 'run-contract', 'api'];

const options = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  isolatedDeclarations: true,
  strict: true,
  declaration: true,
};

/** Text of `dist/api.d.ts` and `dist/api.d.mts`. Throws when a part says more than a declaration can. */
export function apiTypes() {
  const texts = PARTS.map((part) => declarationOf(join(root, 'src', 'api', `${part}.ts`)));
  return `${texts.map(withoutImports).join('\n').trim()}\n`;
}

function declarationOf(fileName) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
    fileName,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  const [first] = diagnostics;
  if (first !== undefined) {
    throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  }
  return outputText;
}

/** What the parts import of each other stands in the same file, and the rest is of Node alone. */
function withoutImports(text) {
  return text
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export (type )?\{[^}]*\} from '\.\/[^;]*;\n/gm, '');
}
