const generatedFolders = new Set([
  ...['node_modules', '__pycache__', '.venv', 'venv', '.tox', '.gradle', '.cache', '.parcel-cache'],
  ...['.mypy_cache', '.pytest_cache', '.ruff_cache', '.next', '.turbo', '.nyc_output', 'coverage'],
  ...['dist', 'build', 'out', 'target'],
]);

const generatedNames = [
  /\.(pyc|pyo|class|o|obj|log|tmp|swp|tsbuildinfo|map)$/,
  /\.lock$/,
  /(^|[-.])lock\.(json|yaml|yml)$/,
  /\.min\.(js|css)$/,
  /^\.ds_store$/,
];

/** Whether tools make the file by themselves, so that nothing of a person is lost with it. `path` is relative to its root. */
export function isGeneratedPath(path: string): boolean {
  const parts = path.toLowerCase().replaceAll('\\', '/').split('/');
  const name = parts.at(-1) ?? '';
  return (
    parts.slice(0, -1).some((part) => generatedFolders.has(part)) ||
    generatedNames.some((pattern) => pattern.test(name))
  );
}
