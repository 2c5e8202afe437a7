import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proposeChecks } from '../../../../src/workspace/checks/propose-checks';
import { fill, fingerprint, never, tempFolder } from '../temp-project';

async function found(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = tempFolder();
  fill(folder, files);
  const before = fingerprint(folder);
  const proposals = await proposeChecks([{ path: folder }], never);
  expect(fingerprint(folder)).toEqual(before);
  return proposals.map(
    ({ spec, source }) => `${spec.kind} ${spec.mode}: ${spec.command} (${source})`,
  );
}

const scripts = (all: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: all });

describe('checks of a project', () => {
  test('are scripts of package.json with usual names, quick ones first', async () => {
    const text = scripts({
      test: 'node --test',
      build: 'tsc -b',
      'format:check': 'prettier --check .',
      lint: 'eslint .',
      typecheck: 'tsc',
      start: 'node .',
    });
    expect(await found({ 'package.json': text })).toEqual([
      'types gate: npm run typecheck (package.json, script "typecheck")',
      'lint inform: npm run lint (package.json, script "lint")',
      'format inform: npm run format:check (package.json, script "format:check")',
      'build gate: npm run build (package.json, script "build")',
      'test gate: npm test (package.json, script "test")',
    ]);
  });

  test.each([
    ['pnpm-lock.yaml', 'pnpm run test'],
    ['yarn.lock', 'yarn run test'],
    ['bun.lockb', 'bun run test'],
    ['package-lock.json', 'npm test'],
  ])('are run with the package manager of %s', async (lock, command) => {
    const files = { 'package.json': scripts({ test: 'vitest run' }), [lock]: '' };
    expect((await found(files))[0]).toContain(`: ${command} (`);
  });

  test('are none where npm wrote that there are none, where nothing ends and where nothing can be read', async () => {
    const absent = 'echo "Error: no test specified" && exit 1';
    expect(
      await found({ 'package.json': scripts({ test: absent, lint: 'eslint --watch' }) }),
    ).toEqual([]);
    expect(await found({ 'package.json': '{ "scripts": ["x"' })).toEqual([]);
    expect(await found({ 'package.json': '{ "scripts": {"test": 5, "__proto__": "x"} }' })).toEqual(
      [],
    );
    expect(await found({})).toEqual([]);
    expect(await proposeChecks([], never)).toEqual([]);
  });

  test('are tools of Python that are set up', async () => {
    const pyproject =
      '[project]\nname = "x"\n[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n';
    expect(await found({ 'pyproject.toml': pyproject, 'uv.lock': '' })).toEqual([
      'types gate: uv run mypy . (pyproject.toml)',
      'lint inform: uv run ruff check . (pyproject.toml)',
      'test gate: uv run pytest (pyproject.toml)',
    ]);
    expect(await found({ 'tox.ini': '[tox]' })).toEqual(['test gate: tox (tox.ini)']);
    expect(await found({ 'tox.ini': '[tox]', 'conftest.py': '' })).toEqual([
      'test gate: pytest (conftest.py)',
    ]);
  });

  test('are targets of a Makefile, and what Rust and Go bring along', async () => {
    const makefile = 'lint test: deps\n\techo\ncheck := x\n.PHONY: check\n';
    expect(await found({ Makefile: makefile })).toEqual([
      'lint inform: make lint (Makefile, target lint)',
      'test gate: make test (Makefile, target test)',
    ]);
    expect(await found({ 'Cargo.toml': '', 'go.mod': '' })).toEqual([
      'lint inform: go vet ./... (go.mod)',
      'build gate: cargo check (Cargo.toml)',
      'build gate: go build ./... (go.mod)',
      'test gate: cargo test (Cargo.toml)',
      'test gate: go test ./... (go.mod)',
    ]);
  });

  test('are not looked for in pipes and in files without end', async () => {
    const folder = tempFolder();
    execFileSync('mkfifo', [join(folder, 'package.json')]);
    fill(folder, { Makefile: `test:\n${' '.repeat(1_100_000)}` });
    expect(await proposeChecks([{ path: folder }], never)).toEqual([]);
  });
});
