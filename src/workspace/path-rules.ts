// What a path's own name says about it: secrets, git's own folder, places that need a second look.

const secretNames = [
  /^\.env$/,
  /^\.env\..+$/,
  /\.pem$/,
  /^id_[a-z0-9]+(\.pub)?$/,
  /^\.npmrc$/,
  /^\.netrc$/,
];
const secretFolders = ['.ssh', '.aws', '.azure', '.gcloud', '.gnupg', '.kube', '.docker'];
const secretPaths = [/(^|\/)\.config\/gcloud(\/|$)/];

/** Whether a path (relative, `/`) may hold credentials: such paths are hidden from agents. */
export function isSecretPath(path: string): boolean {
  const plain = plainForm(path);
  const parts = plain.split('/');
  return (
    parts.some((part) => secretFolders.includes(part)) ||
    parts.some((part) => secretNames.some((pattern) => pattern.test(part))) ||
    secretPaths.some((pattern) => pattern.test(plain))
  );
}

/** Whether a path is a `.git` or lies below one. Spelling that some file systems take for the same name counts. */
export function isGitPath(path: string): boolean {
  return plainForm(path)
    .split('/')
    .some((name) => name === '.git' || name === 'git~1');
}

/** Whether a path belongs to the files of runs inside a project: they name all agents, which no agent may learn. */
export function isRunFilesPath(path: string): boolean {
  return /(^|\/)\.massgen\/massgen_logs(\/|$)/.test(plainForm(path));
}

/**
 * A path as file systems compare names: without case, without characters that some of them do not see, without the name
 * of a data stream, and without dots and spaces at the end of a name.
 */
function plainForm(path: string): string {
  const visible = path.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return visible
    .toLowerCase()
    .split('/')
    .map((name) => name.replace(/(?!^):.*$/, '').replace(/(?!^)[. ]+$/, ''))
    .join('/');
}

const sensitivePaths = [
  /(^|\/)\.vscode\//,
  /\.code-workspace$/,
  /(^|\/)\.devcontainer(\/|$)/,
  /(^|\/)\.devcontainer\.json$/,
  /(^|\/)\.github\/(workflows|actions)\//,
  /(^|\/)\.gitlab-ci\.yml$/,
  /(^|\/)\.circleci\//,
  /(^|\/)\.ci\//,
  /(^|\/)(azure-pipelines|bitbucket-pipelines|\.travis|appveyor)\.ya?ml$/,
  /(^|\/)jenkinsfile$/,
  /(^|\/)\.envrc$/,
  /(^|\/)\.npmrc$/,
  /(^|\/)\.yarnrc(\.yml)?$/,
  /(^|\/)\.husky\//,
  /(^|\/)\.pre-commit-config\.yaml$/,
  /(^|\/)\.gitattributes$/,
  /(^|\/)\.gitmodules$/,
  /(^|\/)\.mcp\.json$/,
  /(^|\/)\.cursor\//,
  /(^|\/)\.claude\//,
  /(^|\/)\.roo\//,
  /(^|\/)\.massgen\//,
  /(^|\/)(agents|claude|gemini)\.md$/,
  /(^|\/)\.(bashrc|bash_profile|profile|zshrc|zprofile|zshenv)$/,
];

/** Whether changing the path can make something run later, so that it is never accepted along with the rest. */
export function isSensitivePath(path: string): boolean {
  const plain = plainForm(path);
  return sensitivePaths.some((pattern) => pattern.test(plain));
}

const dependencyFolders = new Set([
  ...['node_modules', 'bower_components', '.venv', 'venv', '__pycache__', '.tox', '.gradle'],
  ...['.mypy_cache', '.pytest_cache', '.ruff_cache', '.cache', '.yarn'],
]);

/** Folders that tools fill by themselves; they are not listed for a search, and changes in them are off by default. */
export function isDependencyFolder(name: string): boolean {
  return dependencyFolders.has(name);
}

/** The scripts that package managers run by themselves; a change of them is sensitive, one of other fields is not. */
export function lifecycleScripts(packageJson: string): string {
  const names = /^(pre|post)?(install|publish|pack|prepare|uninstall)$|^(pre|post)prepare$/;
  try {
    const value: unknown = JSON.parse(packageJson);
    const scripts = isRecord(value) && isRecord(value['scripts']) ? value['scripts'] : {};
    return JSON.stringify(Object.entries(scripts).filter(([name]) => names.test(name)));
  } catch {
    return packageJson;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
