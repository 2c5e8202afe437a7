import { isGitPath } from '../path-rules';

/**
 * The text of a repository's config without the lines that could lead git out of a copy: another work tree, included
 * files. Everything else stays, so that status, log and commits work inside the copy.
 */
export function withoutOutsidePaths(config: string): string {
  return config.replace(/^(\s*(?:\[[^\]\n]*\][ \t]*)?)(?:worktree|path)[ \t]*=.*$/gim, '$1');
}

/** The same text without what lets somebody in: names and passwords in addresses, headers, cookies, helpers, proxies. */
export function withoutCredentials(config: string): string {
  return config.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/"'@]*@/gi, '$1').replace(secretLine, '$1');
}

/** By their whole names, and by how names end that tools make up for themselves. */
const secretKeys =
  'extraheader|cookiefile|proxy|sslkey|sslcert|sslcertpasswordprotected|helper|username|pat';
const secretEnds = 'token|password|passwd|pass|secret|cookie|api-?key|private-?key';

/** A value goes on in the next line after a backslash. */
const secretLine = new RegExp(
  `^(\\s*(?:\\[[^\\]\\n]*\\][ \\t]*)?)(?:${secretKeys}|[a-z0-9-]*(?:${secretEnds}))[ \\t]*=(?:[^\\n\\\\]|\\\\\\r?\\n|\\\\.)*`,
  'gim',
);

/** Whether a path is a config file of a repository. */
export function isGitConfig(path: string): boolean {
  return isGitPath(path) && /(^|\/)config(\.worktree)?$/.test(path);
}

/** Pointers to a repository elsewhere, its lock files, and the list of its other worktrees do not belong in a view. */
export function isLeftOutOfGit(path: string, kind: string): boolean {
  if (!isGitPath(path)) {
    return false;
  }
  const isPointer = kind !== 'directory' && /(^|\/)\.git$/i.test(path);
  return isPointer || /(^|\/)\.git\/(worktrees|commondir|[^/]*\.lock)$/i.test(path);
}
