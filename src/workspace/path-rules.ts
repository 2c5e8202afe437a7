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

/** The editor: settings, tasks and launch configurations of it and of others. */
const editorPaths = [
  /(^|\/)\.(vscode|idea|zed|fleet|nova)\//,
  /\.code-workspace$/,
  /(^|\/)\.devcontainer(\/|$)/,
  /(^|\/)\.devcontainer\.json$/,
  /(^|\/)\.(exrc|nvimrc|nvim\.lua|vimrc|dir-locals\.el)$/,
];

/** Continuous integration: it runs with the project's own keys. */
const integrationPaths = [
  /(^|\/)\.(github|gitea|forgejo)\/(workflows|actions)\//,
  /(^|\/)\.github\/dependabot\.ya?ml$/,
  /(^|\/)\.gitlab-ci(\.ya?ml$|\/)/,
  /(^|\/)\.(circleci|ci|buildkite|teamcity|semaphore|woodpecker|tekton)\//,
  /(^|\/)(azure-pipelines[^/]*|bitbucket-pipelines|\.travis|\.?appveyor|cloudbuild|codemagic|buildspec)\.ya?ml$/,
  /(^|\/)\.(drone|cirrus|woodpecker|pipeline)\.ya?ml$/,
  /(^|\/)jenkinsfile[^/]*$/,
];

/** Read by package managers, version managers and hooks without being asked. */
const toolPaths = [
  /(^|\/)\.envrc$/,
  /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml|pypirc|pnpmfile\.cjs|mise\.toml|tool-versions)$/,
  /(^|\/)(mise|bunfig)\.toml$/,
  /(^|\/)\.yarn\/(plugins|releases)\//,
  /(^|\/)\.cargo\/config(\.toml)?$/,
  /(^|\/)(sitecustomize|usercustomize)\.py$/,
  /\.pth$/,
  /(^|\/)\.(husky|githooks)\//,
  /(^|\/)\.?lefthook(-local)?\.(ya?ml|toml|json)$/,
  /(^|\/)\.pre-commit-config\.ya?ml$/,
  /(^|\/)\.(gitattributes|gitmodules|gitconfig|lfsconfig)$/,
  /(^|\/)\.(gdbinit|lldbinit)$/,
];

/** What agents and their tools take their orders from. */
const agentPaths = [
  /(^|\/)\.?mcp\.json$/,
  /(^|\/)\.(cursor|claude|roo|massgen|codex|gemini|windsurf|continue|kilocode|clinerules|amazonq)\//,
  /(^|\/)\.(cursorrules|windsurfrules|clinerules|roomodes|aider\.conf\.ya?ml)$/,
  /(^|\/)\.github\/(copilot-instructions\.md$|(instructions|prompts|agents|chatmodes|hooks)\/)/,
  /(^|\/)(agents|claude|gemini)(\.local|\.override)?\.md$/,
];

/** Run whenever a shell starts. */
const shellPaths = [
  /(^|\/)\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc)$/,
  /(^|\/)\.(zshrc|zprofile|zshenv|zlogin|zlogout|kshrc|cshrc|tcshrc|login|logout)$/,
  /(^|\/)\.config\/fish\//,
  /(^|\/)(microsoft\.powershell_)?profile\.ps1$/,
];

const sensitivePaths = [
  ...editorPaths,
  ...integrationPaths,
  ...toolPaths,
  ...agentPaths,
  ...shellPaths,
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
  const names =
    /^(pre|post)?(install|publish|pack|prepare|uninstall|version)$|^prepublishOnly$|^dependencies$/;
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
