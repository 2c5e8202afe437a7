import * as vscode from 'vscode';

const byExtension: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
  json: 'json',
  md: 'markdown',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  cs: 'csharp',
  css: 'css',
  html: 'html',
  sh: 'shellscript',
  yaml: 'yaml',
  yml: 'yaml',
};

/** The language that the editor would give a file of this name; `undefined` when that is not known here. */
export function languageIdFor(path: string): string | undefined {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`/${path}`));
  return open?.languageId ?? byExtension[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}
