/**
 * The text of a repository's config without the lines that could lead git out of a copy: another work tree, included
 * files. Everything else stays, so that status, log and commits work inside the copy.
 */
export function withoutOutsidePaths(config: string): string {
  return config.replace(/^(\s*(?:\[[^\]\n]*\][ \t]*)?)(?:worktree|path)[ \t]*=.*$/gim, '$1');
}
