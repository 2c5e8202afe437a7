// The stages of `npm test` in their order. `npm run check` runs those marked `fast`.
import { join, resolve } from 'node:path';
import { harnessPaths, unsupported } from '../test/vscode/install.mjs';
import { isOnPath } from './debian-packages.mjs';

const root = resolve(import.meta.dirname, '..');
const node = process.execPath;
const results = (name) => join(root, 'test-results', `${name}.json`);

/**
 * One stage: its commands run in order until one fails; without a report it counts as one test. It only reads what
 * the others read, so it runs beside its neighbors of this kind.
 */
const tool = (name, ...commands) => ({
  name,
  fast: true,
  onlyReads: true,
  commands: commands.map((args) => [node, ...args]),
});

/** A stage of vitest projects; it counts as many tests as its report lists. `without`: globs of files to leave out. */
function vitest(name, projects, { runtime = () => node, without = [], ...rest } = {}) {
  const selected = [
    ...projects.flatMap((project) => ['--project', project]),
    ...without.flatMap((glob) => ['--exclude', glob]),
  ];
  const bin = 'node_modules/vitest/vitest.mjs';
  return {
    name,
    report: results(name),
    commands: () => [
      [
        runtime(),
        bin,
        'run',
        ...selected,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${results(name)}`,
      ],
    ],
    list: [node, bin, 'list', ...selected, '--json'],
    ...rest,
  };
}

const tsc = 'node_modules/typescript/bin/tsc';

const chromium = () => (isOnPath('chromium') ? undefined : 'chromium is not installed');
const realVsCode = () => unsupported() ?? chromium();

/**
 * What comes to the same in every Node: modules that may use nothing of Node, tools of developers, and what a process of
 * the command line says in all its ways, of which one file each is played in the second Node too (the command, its
 * automation, a terminal); so are the teams that ship, without the much larger number that MassGen has published.
 */
const sameInEveryNode = [
  'test/unit/{base,config,core,protocol,run,tooling,webview}/**',
  'test/unit/app/example-files.test.ts',
  'test/unit/cli/{bundle-lines,export,keeping,one-shot,option-matrix,plan,sessions}.test.ts',
  'test/unit/cli/{live-view,wizards}/**',
  'test/unit/cli/interactive/in-a-terminal.test.ts',
];

export const STAGES = [
  tool(
    'types',
    [tsc, '-p', '.'],
    [tsc, '-p', 'webview', '--noEmit'],
    [tsc, '-p', 'test/tsconfig.browser.json', '--noEmit'],
  ),
  tool('lint', [
    'node_modules/eslint/bin/eslint.js',
    '--max-warnings=0',
    '--cache',
    '--cache-location=.cache/eslint/',
    '.',
  ]),
  tool('layers', [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config=.dependency-cruiser.mjs',
    'src',
    'webview',
  ]),
  tool('dead-code', ['node_modules/knip/bin/knip.js', '--no-progress']),
  tool('format', ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.']),
  vitest('unit', ['unit', 'contract', 'golden'], { fast: true }),
  { ...tool('build', ['esbuild.mjs', '--production']), fast: false, onlyReads: false },
  { ...tool('package', ['scripts/package.mjs']), fast: false, onlyReads: false },
  vitest('e2e', ['e2e'], { harness: true, skip: realVsCode }),
  vitest('unit-node24', ['unit', 'contract'], {
    harness: true,
    runtime: () => harnessPaths().node,
    skip: unsupported,
    without: sameInEveryNode,
  }),
  vitest('vsix', ['package']),
  {
    name: 'integration',
    harness: true,
    report: results('integration'),
    commands: [[node, 'test/vscode/run-integration.mjs']],
    list: [node, 'test/vscode/run-integration.mjs', '--list'],
    skip: realVsCode,
  },
  vitest('webview', ['webview'], { skip: chromium }),
];
