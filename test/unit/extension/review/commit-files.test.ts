import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  commitFiles,
  proposedMessage,
  withTrailers,
} from '../../../../src/extension/review/commit-files';

const signal = new AbortController().signal;

describe('a commit of accepted files', () => {
  let repository: string;

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
  const write = (path: string, text: string): void => writeFileSync(join(repository, path), text);
  const commit = async (files: readonly string[], message = 'Accepted'): Promise<void> =>
    commitFiles(
      { git: 'git', repository, files: files.map((file) => join(repository, file)), message },
      signal,
    );
  const inLastCommit = (): readonly string[] =>
    git('show', '--name-status', '--no-renames', '--format=', 'HEAD').trim().split('\n');

  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'mgcommit-'));
    git('init', '--quiet');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    git('config', 'commit.gpgsign', 'false');
    for (const name of ['a.txt', 'b.txt', 'c.txt']) write(name, `${name}\n`);
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
  });
  afterEach(() => rmSync(repository, { recursive: true, force: true }));

  it('has exactly these files, and leaves what else is staged as it is', async () => {
    write('a.txt', 'accepted\n');
    write('b.txt', 'staged by hand\n');
    git('add', 'b.txt');
    write('b.txt', 'staged by hand, and edited after\n');
    write('c.txt', 'not staged\n');
    const staged = git('diff', '--cached');
    await commit(['a.txt'], 'Sum the parts');
    expect(inLastCommit()).toEqual(['M\ta.txt']);
    expect(git('log', '-1', '--format=%s').trim()).toBe('Sum the parts');
    expect(git('diff', '--cached')).toBe(staged);
    expect(readFileSync(join(repository, 'b.txt'), 'utf8')).toContain('edited after');
    expect(git('status', '--porcelain')).toBe('MM b.txt\n M c.txt\n');
  });

  it('takes new, deleted and moved files', async () => {
    mkdirSync(join(repository, 'new'));
    write('new/deep.txt', 'new\n');
    rmSync(join(repository, 'b.txt'));
    rmSync(join(repository, 'c.txt'));
    write('moved.txt', 'c.txt\n');
    await commit(['new/deep.txt', 'b.txt', 'moved.txt', 'c.txt']);
    expect(inLastCommit()).toEqual(['D\tb.txt', 'D\tc.txt', 'A\tmoved.txt', 'A\tnew/deep.txt']);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('takes a name with a pattern for that name alone', async () => {
    write('*.txt', 'odd\n');
    write(':a.txt', 'odd\n');
    write('a.txt', 'changed\n');
    await commit(['*.txt', ':a.txt']);
    expect(inLastCommit()).toEqual(['A\t*.txt', 'A\t:a.txt']);
    expect(git('status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('leaves the index as it was when a hook refuses', async () => {
    write('a.txt', 'accepted\n');
    write('fresh.txt', 'new\n');
    const hook = join(repository, '.git', 'hooks', 'pre-commit');
    mkdirSync(join(repository, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "the hook says no" >&2\nexit 1\n', { mode: 0o755 });
    const before = git('ls-files', '--stage');
    await expect(commit(['a.txt', 'fresh.txt'])).rejects.toThrow(/the hook says no/);
    expect(git('ls-files', '--stage')).toBe(before);
    expect(git('status', '--porcelain')).toBe(' M a.txt\n?? fresh.txt\n');
  });
});

describe('the message of a commit', () => {
  it('is the first line of the task, short enough for a subject', () => {
    expect(proposedMessage('\nFix parseDuration.\nMore about it.')).toBe('Fix parseDuration.');
    expect(proposedMessage('word '.repeat(40))).toHaveLength(72);
  });

  it('names the answers at its end only where the user wants that', () => {
    expect(withTrailers('Fix it', [])).toBe('Fix it');
    const answers = [
      { label: 'agent2.1', model: 'opal' },
      { label: 'agent1.1', model: 'onyx' },
    ];
    expect(withTrailers('Fix it\n', answers)).toBe(
      'Fix it\n\nMassGen-Answer: agent2.1 (opal)\nMassGen-Answer: agent1.1 (onyx)\n',
    );
  });
});
