import { expect, test } from 'vitest';
import {
  isGitPath,
  isRunFilesPath,
  isSecretPath,
  isSensitivePath,
  lifecycleScripts,
} from '../../../src/workspace/path-rules';

test.each(['.git', '.git/config', 'a/.GIT/x', '.git./x', '.git /x', '.g\u200cit/x', 'git~1/x'])(
  '%j is git’s own folder or below it',
  (path) => expect(isGitPath(path)).toBe(true),
);

test.each(['.git::$INDEX_ALLOCATION/x', '\ufeff.git/hooks/x', '.git:x'])(
  '%j is git’s own folder for some file system',
  (path) => expect(isGitPath(path)).toBe(true),
);

test.each(['.gitignore', 'git', '.github/x', 'a.git', '.g', 'x:.git'])('%j is not git’s', (path) =>
  expect(isGitPath(path)).toBe(false),
);

test.each(['.env', '.ENV', '.env.', '.env::$DATA', 'a/.env.local', 'k.pem ', '.ssh./id', '.npmrc'])(
  '%j may hold a secret',
  (path) => expect(isSecretPath(path)).toBe(true),
);

test.each(['env', 'environment.ts', 'a.pem.md', 'id.ts', '...', ':', ' '])(
  '%j holds none',
  (path) => expect(isSecretPath(path)).toBe(false),
);

test('files of runs inside a project are hidden, and team files are not', () => {
  const paths = [
    '.massgen/massgen_logs',
    'a/.MassGen./massgen_logs/log_1/turn_1/events.jsonl',
    '.massgen/team.yaml',
    'massgen_logs/x',
  ];
  expect(paths.map(isRunFilesPath)).toEqual([true, true, false, false]);
});

test('a sensitive place is one in every spelling', () => {
  const spellings = [
    '.vscode/tasks.json',
    '.VSCode./tasks.json',
    '.envrc',
    '.envrc:x',
    'Claude.md',
  ];
  expect(spellings.map(isSensitivePath)).toEqual([true, true, true, true, true]);
  expect(isSensitivePath('src/vscode/a.ts')).toBe(false);
});

test.each([
  ...['.vscode/settings.json', 'a/b.code-workspace', '.devcontainer/devcontainer.json'],
  ...['.devcontainer.json', '.idea/workspace.xml', '.github/workflows/ci.yml', '.gitlab-ci.yml'],
  ...['.github/actions/x/action.yml', '.circleci/config.yml', 'ci/Jenkinsfile', '.drone.yml'],
  ...['azure-pipelines.yml', 'azure-pipelines-release.yml', '.buildkite/pipeline.yml'],
  ...['.envrc', 'sub/.npmrc', '.yarnrc.yml', '.pnpmfile.cjs', '.husky/pre-commit', '.githooks/x'],
  ...['lefthook.yml', '.pre-commit-config.yaml', '.gitattributes', '.gitmodules', 'mise.toml'],
  ...['.cargo/config.toml', 'src/sitecustomize.py', '.mcp.json', 'mcp.json', '.cursor/mcp.json'],
  ...['.claude/settings.json', '.roo/mcp.json', '.massgen/team.yaml', '.codex/config.toml'],
  ...['.gemini/settings.json', '.github/copilot-instructions.md', '.github/prompts/x.prompt.md'],
  ...['AGENTS.md', 'sub/CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', '.cursorrules', '.clinerules'],
  ...['.bashrc', '.profile', '.zshenv', '.bash_aliases', '.config/fish/config.fish'],
])('%s can make something run later', (path) => expect(isSensitivePath(path)).toBe(true));

test.each([
  ...['src/agents/run.ts', 'docs/agents.mdx', 'package.json', 'README.md', 'src/profile.ts'],
  ...['.github/ISSUE_TEMPLATE/bug.md', '.gitignore', 'tests/fixtures/ci.yml', 'login.ts'],
])('%s is a file like others', (path) => expect(isSensitivePath(path)).toBe(false));

test.each(['postinstall', 'prepare', 'prepublishOnly', 'dependencies', 'preversion'])(
  'the script %s counts, because package managers run it by themselves',
  (name) => {
    const text = JSON.stringify({ scripts: { [name]: 'x', test: 'y' } });
    expect(lifecycleScripts(text)).toBe(JSON.stringify([[name, 'x']]));
  },
);
