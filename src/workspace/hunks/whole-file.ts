// Text files that are decided as a whole, because nobody reads their parts.

const lockFiles = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
  ...['deno.lock', 'cargo.lock', 'gemfile.lock', 'composer.lock', 'poetry.lock', 'pipfile.lock'],
  ...['pdm.lock', 'uv.lock', 'pixi.lock', 'go.sum', 'go.work.sum', 'flake.lock', 'mix.lock'],
  ...['podfile.lock', 'package.resolved', 'packages.lock.json', 'gradle.lockfile', 'pubspec.lock'],
  ...['conan.lock', '.terraform.lock.hcl', 'module.bazel.lock', 'cartfile.resolved'],
]);

/** More changed lines than this are the work of a program. */
export const mostChangedLines = 5000;
/** Longer files are not taken apart. */
export const mostLines = 20_000;
export const mostBytes = 2 * 1024 * 1024;

const longestMeanLine = 1000;

/** Lock files, minified files and maps of them, by name or by the length of their lines. */
export function isGeneratedFile(path: string, lines: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (lockFiles.has(name) || /[.-]min\.(js|mjs|cjs|css|html|svg)$|\.(js|css)\.map$/.test(name)) {
    return true;
  }
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return lines.length > 0 && length / lines.length > longestMeanLine;
}
