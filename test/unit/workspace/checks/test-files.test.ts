import { expect, test } from 'vitest';
import { countSkips, isCheckRule, isTestFile } from '../../../../src/workspace/checks/test-files';

test.each([
  ...['src/a.test.ts', 'a.spec.jsx', 'pkg/test_a.py', 'a_test.py', 'conftest.py', 'a_test.go'],
  ...['tests/helper.js', 'src/__tests__/a.js', 'spec/models/user_spec.rb', 'FooTest.java'],
  ...['src/test/java/Foo.java', 'src/__snapshots__/a.js', 'a.test.ts.snap', 'vitest.config.mts'],
  ...['pytest.ini', '.mocharc.json', 'tests/data/in.bin'],
])('%s is part of the tests', (path) => {
  expect(isTestFile(path)).toBe(true);
});

test.each([
  ...['src/a.ts', 'src/contest.py', 'latest.js', 'src/testing.ts', 'package.json', 'protest.go'],
  ...['src/tester/a.js', 'attest_a.py', 'specification.md', 'vite.config.ts'],
])('%s is no test', (path) => {
  expect(isTestFile(path)).toBe(false);
});

test.each([
  ['it.skip("a", f);', 1],
  ['describe.skip.each([1])("a", f); test.todo("b");', 2],
  ['xit("a", f); xdescribe("b", g);', 2],
  ['test("a", { skip: true }, f);', 1],
  ['test("a", { skip: false }, f);', 0],
  ['it.only("a", f);', 1],
  ['it("skips nothing", () => page.skipAd());', 0],
  ['@pytest.mark.skip(reason="x")\ndef test_a(): pass', 1],
  ['@pytest.mark.skipif(True)\n@unittest.skip("x")', 2],
  ['func TestA(t *testing.T) { t.Skip("later") }', 1],
  ['@Ignore\n@Test public void a() {}\n@Disabled class B {}', 2],
  ['#[test]\n#[ignore]\nfn a() {}', 1],
  ['it("a", f);\ntest("b", g);', 0],
])('%j skips %i tests', (text, count) => {
  expect(countSkips(text)).toBe(count);
});

test.each(['it.'.repeat(300_000), '\n'.repeat(1_000_000), `skip${' '.repeat(1_000_000)}`])(
  'looks through a long file in one go (%#)',
  (text) => {
    expect(countSkips(text)).toBe(0);
  },
);

test.each([
  ...['Makefile', 'sub/GNUmakefile', 'rules.mk', 'pyproject.toml', 'tsconfig.json', 'Cargo.toml'],
  ...['tsconfig.build.json', 'eslint.config.mjs', '.eslintrc', 'jest.config.js', 'conftest.py'],
])('%s says what a check does', (path) => {
  expect(isCheckRule(path)).toBe(true);
});

test.each(['src/make.ts', 'Makefile/a.ts', 'docs/makefile.md', 'tsconfig.ts', 'package.json'])(
  '%s says nothing of checks',
  (path) => {
    expect(isCheckRule(path)).toBe(false);
  },
);
