// Which files of a project say what is right: by well-known names alone, because nothing of a project is run to find out.

const testNames: readonly RegExp[] = [
  /\.(test|tests|spec|specs|e2e|cy)\.[^/]+$/,
  /^test_[^/]*\.py$/,
  /_test\.(go|py|exs?|rb|dart|cc|cpp|c|rs|lua)$/,
  /_spec\.(rb|lua)$/,
  /(Test|Tests|TestCase|IT|Spec)\.(java|kt|kts|scala|groovy|cs|fs|vb|swift|php)$/,
  /^Test[A-Z][^/]*\.(java|kt)$/,
  // What the tests are run with decides about them as well.
  /^conftest\.py$/,
  /^(pytest|tox)\.ini$/,
  /^(jest|vitest|karma|ava|playwright|cypress|web-test-runner|wdio)\.(config|conf|workspace|setup)\.[^/]+$/,
  /^\.mocharc(\.[^/]+)?$/,
  /^\.jasmine\.json$/,
  /\.snap$/,
];

/** What build tools and runners take their orders from: a change in there can be meant, so it is shown and not undone. */
const ruleNames: readonly RegExp[] = [
  /^(gnu)?makefile$|\.mk$/,
  /^(\.?justfile|taskfile\.ya?ml|rakefile|noxfile\.py|dodo\.py|cmakelists\.txt|build\.ninja|build\.xml|pom\.xml)$/,
  /^(build|settings)\.gradle(\.kts)?$/,
  /^(pyproject\.toml|setup\.cfg|setup\.py|cargo\.toml|mix\.exs|composer\.json|deno\.jsonc?|go\.work)$/,
  /^(conftest\.py|pytest\.ini|tox\.ini|\.mocharc(\..+)?|\.jasmine\.json|phpunit\.xml(\.dist)?)$/,
  /^(jest|vitest|karma|ava|playwright|cypress|web-test-runner|wdio|vite|babel)\.(config|conf|workspace|setup)\..+$/,
  /^(tsconfig|jsconfig)([.-].+)?\.json$/,
  /^(\.eslintrc(\..+)?|eslint\.config\..+|\.eslintignore|biome\.jsonc?|\.prettierrc(\..+)?|prettier\.config\..+|\.prettierignore)$/,
  /^(mypy\.ini|\.mypy\.ini|\.?ruff\.toml|\.flake8|\.pylintrc|\.golangci\.ya?ml|\.?rustfmt\.toml|\.?clippy\.toml)$/,
];

/** Whether a file that is no test says what a check does. */
export function isCheckRule(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  return ruleNames.some((pattern) => pattern.test(name));
}

const testFolders: ReadonlySet<string> = new Set([
  ...['test', 'tests', '__tests__', '__test__', 'spec', 'specs', '__snapshots__', '__mocks__'],
  ...['testdata', 'e2e', 'cypress'],
]);

/** `path` is relative to its root, with `/`. Snapshot files and settings of test runners count. */
export function isTestFile(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  return (
    parts.slice(0, -1).some((part) => testFolders.has(part)) ||
    testNames.some((pattern) => pattern.test(name))
  );
}

/** Agents write what these are matched with: each looks a bounded way ahead from each place where it may begin. */
const skipMarkers: readonly RegExp[] = [
  // JavaScript: it.skip(…), describe.skip.each(…), xit(…), test.todo(…), { skip: true }, this.skip(), `.only` skips the rest.
  /\b(?:it|test|describe|suite|context|specify|bench)(?:\.\w+){0,4}?\.(?:skip|skipIf|todo|only|fixme)\b/g,
  /\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\s*[.(]/g,
  /\bskip\s*:(?!\s*false\b)/g,
  /\b(?:this|t|ctx|context)\.(?:skip|todo)\s*\(/g,
  // Python: marks, decorators and calls of pytest and unittest.
  /\bpytest\.(?:mark\.(?:skip|skipif|xfail)|skip|xfail|importorskip)\b/g,
  /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b/g,
  /\b(?:raise\s+(?:unittest\.)?SkipTest|self\.skipTest\s*\()/g,
  /^[ \t]*(?:__test__|collect_ignore(?:_glob)?)\s*=/gm,
  // Go, Java, Kotlin, C#, Rust, Ruby, PHP, Swift.
  /\b[tb]\.Skip(?:f|Now)?\s*\(/g,
  /@(?:Ignore|Disabled)\b/g,
  /\[(?:Ignore|Fact\s*\(\s*Skip|Theory\s*\(\s*Skip)/g,
  /#\[ignore\b/g,
  /\b(?:pending|skip)\s+['"(]/g,
  /\bmarkTest(?:Skipped|Incomplete)\s*\(/g,
  /\bthrow\s+XCTSkip\b|\bXCTSkip(?:If|Unless)\s*\(/g,
];

/** How many places of a test file keep tests from being run. Comments count: a marker in one is rare and worth a look. */
export function countSkips(text: string): number {
  return skipMarkers.reduce((sum, marker) => sum + [...text.matchAll(marker)].length, 0);
}
