import type { TextDocument, Uri } from 'vscode';

/** Makes a team file of any YAML file whose first lines have the comment `# massgen`. */
const mark = /^#\s*massgen\b/i;
const linesLookedAt = 3;

/** True for `*.massgen.yaml`, for YAML files in a folder named `.massgen`, and for marked ones. */
export function isTeamDocument(document: TextDocument): boolean {
  return isTeamFile(document.uri) || isMarked(document);
}

export function isTeamFile(uri: Uri): boolean {
  return uri.scheme === 'file' && /(\.massgen\.ya?ml|\/\.massgen\/[^/]+\.ya?ml)$/i.test(uri.path);
}

function isMarked(document: TextDocument): boolean {
  if (document.uri.scheme !== 'file' || document.languageId !== 'yaml') {
    return false;
  }
  const count = Math.min(linesLookedAt, document.lineCount);
  return Array.from({ length: count }, (_line, i) => document.lineAt(i).text).some((text) =>
    mark.test(text),
  );
}
