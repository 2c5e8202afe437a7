import type { Uri } from 'vscode';

/** True for `*.massgen.yaml` and for YAML files in a folder named `.massgen`. */
export function isTeamFile(uri: Uri): boolean {
  return uri.scheme === 'file' && /(\.massgen\.ya?ml|\/\.massgen\/[^/]+\.ya?ml)$/i.test(uri.path);
}
