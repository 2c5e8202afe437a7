// Builds what ships: dist/extension.js, dist/cli.js and dist/api.js with their chunks, and the panel's
// dist/webview.*, with dist/viewer.* that stands in for the editor in a file of `massgen viewer`.
//
//   node esbuild.mjs [--production] [--watch]
//
// What runs in Node is split: whatever is reached only through `import()` (the convention is a file
// named `*.lazy.ts`) becomes a chunk of its own in dist/lazy, read at its first use, so that
// activation and `massgen --help` load little, and the extension, the command line and programs
// share the rest. esbuild splits ES modules only, and VS Code loads CommonJS; so the chunks are built as ES
// modules and each is then turned into CommonJS. A module shared by two chunks still exists once,
// and `instanceof` works across them.
import * as esbuild from 'esbuild';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { apiTypes } from './scripts/api-types.mjs';
import { notices } from './scripts/notices.mjs';
import { sourcesHash, writeStamp } from './scripts/stale.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const outdir = join(root, 'dist');

const bundles = { node: nodeBuild, webview: webviewBuild };

/** Options that every bundle has. `write: false`: files are written whole, by `writeOutputs`. */
function common(production) {
  return {
    absWorkingDir: root,
    bundle: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    minify: production,
    outdir,
    sourcemap: production ? false : 'inline',
    write: false,
  };
}

function nodeBuild(production) {
  return {
    ...common(production),
    entryPoints: {
      extension: entry('src/extension/activate.ts'),
      cli: entry('src/cli/main.ts'),
      api: entry('src/api/api.ts'),
    },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    splitting: true,
    chunkNames: 'lazy/[name]-[hash]',
    plugins: [emit((files) => Promise.all(files.map((file) => toCommonJs(file, production))))],
  };
}

function webviewBuild(production) {
  return {
    ...common(production),
    entryPoints: {
      webview: entry('webview/main.ts', 'webview/main.tsx'),
      viewer: entry('webview/file/viewer.ts'),
    },
    format: 'iife',
    platform: 'browser',
    target: 'chrome120',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file', '.woff2': 'file' },
    assetNames: '[name]',
    define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
    plugins: [emit()],
  };
}

function entry(...candidates) {
  const found = candidates.find((path) => existsSync(join(root, path)));
  if (found === undefined) {
    throw new Error(`there is no ${candidates.join(' or ')}`);
  }
  return found;
}

/** Writes the outputs of each successful build, after `transform` (none by default). */
function emit(transform = (files) => Promise.resolve(files)) {
  return {
    name: 'emit',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length === 0) {
          writeOutputs(await transform(result.outputFiles));
        }
      });
    },
  };
}

async function toCommonJs(file, production) {
  if (!file.path.endsWith('.js')) {
    return file;
  }
  const { code } = await esbuild.transform(file.text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    minify: production,
    sourcefile: relative(outdir, file.path),
    sourcemap: production ? false : 'inline',
    supported: { 'dynamic-import': false },
  });
  return { path: file.path, contents: code };
}

/** Each file appears whole: a process that reads it meanwhile sees the old or the new one. */
function writeOutputs(files) {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    const partial = `${path}.${process.pid}.partial`;
    writeFileSync(partial, contents);
    renameSync(partial, path);
  }
}

/**
 * Builds everything once; a bundle that fails does not stop the others. `dist/meta.json` keeps
 * esbuild's account of each bundle (for the size budget and the notices); it does not ship.
 * Throws the first failure, and then dist/ counts as stale.
 */
export async function build({ production = false } = {}) {
  const hash = sourcesHash();
  const names = Object.keys(bundles);
  const results = await Promise.allSettled(
    names.map(async (name) => esbuild.build(bundles[name](production))),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  const meta = Object.fromEntries(names.map((name, i) => [name, results[i].value.metafile]));
  writeOutputs([
    { path: join(outdir, 'meta.json'), contents: JSON.stringify(meta) },
    {
      path: join(outdir, 'THIRD_PARTY_NOTICES.txt'),
      contents: notices([meta.node, meta.webview]),
    },
    ...apiFiles(meta.node),
  ]);
  removeOldChunks(meta.node);
  writeStamp(hash, production);
}

/** What lets ES modules import dist/api.js by name, and the types for both kinds of modules. */
function apiFiles(metafile) {
  const names = metafile.outputs['dist/api.js'].exports;
  const types = apiTypes();
  return [
    {
      path: join(outdir, 'api.mjs'),
      contents: `import api from './api.js';\n\nexport const { ${names.join(', ')} } = api;\n`,
    },
    { path: join(outdir, 'api.d.ts'), contents: types },
    { path: join(outdir, 'api.d.mts'), contents: types },
  ];
}

/** Chunk names hold a hash, so every change of a chunk leaves its older file behind. */
function removeOldChunks(metafile) {
  const lazy = join(outdir, 'lazy');
  for (const name of existsSync(lazy) ? readdirSync(lazy) : []) {
    if (!(`dist/lazy/${name}` in metafile.outputs)) {
      rmSync(join(lazy, name));
    }
  }
}

async function watch() {
  for (const options of Object.values(bundles)) {
    const context = await esbuild.context({ ...options(false), logLevel: 'info' });
    await context.watch();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const task = process.argv.includes('--watch')
    ? watch()
    : build({ production: process.argv.includes('--production') });
  task.catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
