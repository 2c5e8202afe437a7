import * as vscode from 'vscode';
import { clip } from '../../base/text';
import { bounded, editorTool } from './editor-tool';
import { viewPaths } from './view-path';

const names = ['error', 'warning', 'information', 'hint'] as const;

const messageChars = 500;

/** Errors and warnings that the editor shows. They are those of the user's own files, which agents do not change. */
export const getProblems = editorTool({
  name: 'get_problems',
  description:
    "Lists the errors and warnings that the user's editor shows now, as \"path:line:column: severity: message\". They are those of the user's own files, not of your copy: your changes do not show here. Check your work by running the project's own tools.",
  fields: {
    path: {
      type: 'string',
      description: 'File or folder to look at; the whole project when left out.',
      isOptional: true,
    },
  },
  subject: 'path',
  async run(input, { workspace }, signal): Promise<string> {
    const view = viewPaths(workspace);
    const path = input.text('path');
    const only = path === undefined ? undefined : view.toUser(path)?.fsPath;
    if (path !== undefined && only === undefined) {
      return `${path} is in no folder of the editor's window.`;
    }
    const lines: string[] = [];
    const all = [...vscode.languages.getDiagnostics()]
      .filter(([uri]) => only === undefined || isAtOrBelow(uri.fsPath, only))
      .sort(([a], [b]) => (a.fsPath < b.fsPath ? -1 : 1));
    for (const [uri, problems] of all) {
      const shown = problems.length === 0 ? undefined : await view.toAgent(uri, signal);
      if (shown !== undefined) {
        lines.push(...[...problems].sort(byPlace).map((problem) => lineOf(shown, problem)));
      }
    }
    const head =
      "[Problems in the user's files as the editor knows them; your own changes are not in them]";
    return lines.length === 0
      ? 'The editor shows no problems there.'
      : `${head}\n${bounded(lines)}`;
  },
});

function byPlace(a: vscode.Diagnostic, b: vscode.Diagnostic): number {
  return a.range.start.compareTo(b.range.start);
}

function lineOf(
  shown: string,
  { range, severity, message, source, code }: vscode.Diagnostic,
): string {
  const { line, character } = range.start;
  const value = typeof code === 'object' ? code.value : code;
  const from = [source, value].filter((part) => part !== undefined).join(' ');
  const words = clip(message.replace(/\s*\r?\n\s*/g, ' '), messageChars);
  const end = from === '' ? '' : ` (${from})`;
  return `${shown}:${line + 1}:${character + 1}: ${names[severity]}: ${words}${end}`;
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || (/^[\\/]/.test(path.slice(folder.length)) && path.startsWith(folder));
}
