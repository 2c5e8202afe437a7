// Who may import whom. Read it as a house: each floor sees only the floors below it.
// Type-only imports count like any other.

const adapter = ['base', 'run', 'core/ports', 'core/errors'];
const shell = ['base', 'run', 'protocol', 'app'];

/** Folder under src → the folders (or single modules) it may import besides itself. */
const layers = {
  base: [],
  run: ['base'],
  protocol: ['base', 'run'],
  core: ['base', 'run'],
  backends: adapter,
  tools: adapter,
  workspace: adapter,
  config: adapter,
  logging: adapter,
  storage: [...adapter, 'protocol'],
  app: [
    ...['base', 'run', 'protocol', 'core'],
    ...['backends', 'tools', 'workspace', 'storage', 'config', 'logging'],
  ],
  // It fulfills ports with what only the editor has, so it sees what an adapter sees of the core, and, for the models of
  // the editor, what all adapters of models share.
  // It hands the interface for programs to other extensions.
  extension: [...shell, 'core/ports', 'core/errors', 'backends/wire', 'api'],
  cli: shell,
  // A program finds teams, keys and checks exactly as the command line does.
  api: [...shell, ...sharedByCli()],
};

function sharedByCli() {
  const names = [
    ...['choose-checks', 'command-policy', 'context-folders', 'find-team', 'key-source'],
    'system-clock',
  ];
  return [...names, 'world'].map((name) => `cli/${name}`);
}

/** Packages that become part of the bundles; an installed MassGen fetches none. */
const bundled = [
  ...['@agentclientprotocol/sdk', '@anthropic-ai/sdk', '@clack/prompts', '@google/genai'],
  ...['@modelcontextprotocol/sdk', '@preact/signals', '@vscode/codicons', 'commander', 'diff'],
  ...['markdown-it', 'openai', 'preact', 'slice-ansi', 'string-width', 'wrap-ansi', 'yaml', 'zod'],
];

const inside = (name) => `^src/${name}(/|\\.ts$)`;

const layerRules = Object.entries(layers).map(([name, below]) => ({
  name: `layer-${name}`,
  severity: 'error',
  comment: `src/${name} may import ${below.length > 0 ? below.join(', ') : 'nothing'}.`,
  from: { path: inside(name) },
  to: { path: '^(src|webview|test|scripts|bench)/', pathNot: [name, ...below].map(inside) },
}));

const pure = '^src/(base|run|protocol|core)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'layer-unknown',
      severity: 'error',
      comment: 'Every folder under src stands in the table of layers.',
      from: { path: '^src/', pathNot: Object.keys(layers).map(inside) },
      to: {},
    },
    {
      name: 'layer-webview',
      severity: 'error',
      comment: 'The panel sees base, run and protocol; it runs in a browser.',
      from: { path: '^webview/' },
      to: {
        path: '^(src|test|scripts|bench)/',
        pathNot: ['base', 'run', 'protocol'].map(inside),
      },
    },
    {
      name: 'no-node-in-webview',
      severity: 'error',
      comment: 'There is no Node in a browser.',
      from: { path: '^webview/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-core',
      severity: 'error',
      comment: 'base, run, protocol and core are plain TypeScript: no Node modules, no packages.',
      from: { path: pure },
      to: { path: '.', pathNot: '^src/' },
    },
    {
      name: 'vscode-by-the-top-door',
      severity: 'error',
      comment: 'Only src/extension imports vscode.',
      from: { path: '^(src|webview)/', pathNot: '^src/extension/' },
      to: { path: '(^|/)vscode(/|$)' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Modules that need each other are one module, or miss a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan-imports',
      severity: 'error',
      comment: 'What is imported must exist, and stand in package.json.',
      from: { path: '^(src|webview)/' },
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      comment: 'What ships uses only packages that are meant to be part of it.',
      from: { path: '^(src|webview)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg'],
        pathNot: `node_modules/(@types|${bundled.join('|')})/`,
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    builtInModules: { add: ['vscode'] },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
