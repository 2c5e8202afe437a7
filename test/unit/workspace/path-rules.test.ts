import { expect, test } from 'vitest';
import {
  isGitPath,
  isRunFilesPath,
  isSecretPath,
  isSensitivePath,
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
