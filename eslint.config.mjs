// Lint rules. Everything is an error: a finding is either fixed or disabled with its reason.
import tseslint from 'typescript-eslint';

const size = {
  'max-lines': ['error', { max: 400 }],
  'max-lines-per-function': ['error', { max: 60 }],
  // A switch counts once: a reducer with a case per event is long, not complicated.
  complexity: ['error', { max: 12, variant: 'modified' }],
  'max-depth': ['error', 3],
  'max-params': ['error', 4],
};

const common = {
  eqeqeq: 'error',
  curly: ['error', 'multi-line'],
  'no-console': 'error',
  'no-undef-init': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
};

const typed = {
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true },
  ],
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
  '@typescript-eslint/consistent-type-exports': 'error',
  '@typescript-eslint/explicit-module-boundary-types': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
  ],
  // Numbers in texts are the common case here, and safe.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  // `() => emitter.fire()` reads better than a block, and returns nothing either way.
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  // An async method without await is how a port is fulfilled by something that is ready at once.
  '@typescript-eslint/require-await': 'off',
  'no-restricted-syntax': [
    'error',
    { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
    { selector: 'TSModuleDeclaration[kind="namespace"]', message: 'Use a module.' },
    { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
    { selector: 'ExportAllDeclaration', message: 'Export what is meant, by name.' },
    ...['[arguments.length<2]', ' > ObjectExpression:not(:has(> Property[key.name="seed"]))'].map(
      (lack) => ({
        selector: `CallExpression[callee.object.name="fc"][callee.property.name="assert"]${lack}`,
        message: 'Give a seed: a test plays the same cases each time.',
      }),
    ),
  ],
  'no-restricted-imports': [
    'error',
    { patterns: [{ regex: '^\\.{1,2}/.*\\.(js|ts|tsx)$', message: 'Leave the extension out.' }] },
  ],
};

const node = [
  ...['AbortController', 'AbortSignal', 'Atomics', 'Buffer', 'SharedArrayBuffer', 'URL'],
  ...['URLSearchParams', 'clearInterval', 'clearTimeout', 'console', 'fetch', 'performance'],
  ...['process', 'setInterval', 'setTimeout', 'structuredClone'],
];
const browser = ['document', 'indexedDB', 'window'];
const globals = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default tseslint.config(
  {
    ignores: [
      'dist',
      'dist-test',
      'test-results',
      '.cache',
      '**/node_modules',
      'media',
      'test/fixtures',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,mts}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'webview/tsconfig.json', 'test/tsconfig.browser.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: { ...common, ...size, ...typed },
  },
  {
    files: ['**/*.{mjs,js}'],
    languageOptions: { globals: globals(node) },
    rules: {
      ...common,
      ...size,
      'no-undef': 'error',
      'no-unused-vars': ['error', { varsIgnorePattern: '^_$' }],
    },
  },
  {
    files: ['test/**'],
    rules: Object.fromEntries(Object.keys(size).map((rule) => [rule, 'off'])),
  },
  {
    // Parts of test/vscode run inside the page.
    files: ['test/vscode/**/*.mjs'],
    languageOptions: { globals: globals(browser) },
  },
  {
    // The command line and the log sinks are where text reaches a person.
    files: ['src/cli/**', 'src/logging/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tools ask for a default export, and some foreign modules have one.
    files: ['*.config.mts', '**/*.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
