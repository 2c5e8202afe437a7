import * as vscode from 'vscode';
import { raceAbort } from '../../base/abort';
import { clip } from '../../base/text';
import { MassGenError } from '../../core/errors';
import { bounded, editorTool } from './editor-tool';
import type { ViewPaths } from './view-path';
import { viewPaths } from './view-path';

const lineChars = 300;

const own = "[Places in the user's files; what you have changed in your copy is not in them]";

/** Names that the language services of the editor know. */
export const findSymbol = editorTool({
  name: 'find_symbol',
  description:
    "Finds where functions, classes and other names are defined, by a part of the name, as the language services of the user's editor know them. Places are those of the user's files; your copy may differ where you changed it. Where no language service answers, use search_text.",
  fields: { name: { type: 'string', description: 'The name, or a part of it.' } },
  subject: 'name',
  async run(input, { workspace }, signal): Promise<string> {
    const query = input.text('name') ?? '';
    const found = await ask(signal, 'vscode.executeWorkspaceSymbolProvider', query);
    const symbols = list(found).filter((one) => one instanceof vscode.SymbolInformation);
    const view = viewPaths(workspace);
    const lines: string[] = [];
    for (const { name, kind, containerName, location } of symbols) {
      const shown = await view.toAgent(location.uri, signal);
      if (shown !== undefined) {
        const inside = containerName === '' ? '' : ` in ${containerName}`;
        const word = vscode.SymbolKind[kind].toLowerCase();
        lines.push(`${shown}:${location.range.start.line + 1}: ${word} ${name}${inside}`);
      }
    }
    return lines.length === 0
      ? `The editor knows no symbol like "${query}" here. Try search_text.`
      : `${own}\n${bounded(lines)}`;
  },
});

/** Uses of a name, also those that a search for its text would not tell apart from others. */
export const findReferences = editorTool({
  name: 'find_references',
  description:
    "Finds all uses of a name that stands in a line of a file, as the language services of the user's editor know them. Places are those of the user's files. Where no language service answers, use search_text.",
  fields: {
    path: { type: 'string', description: 'File in which the name stands.' },
    line: { type: 'integer', description: 'Its line, counted from 1; near it is enough.' },
    name: { type: 'string', description: 'The name itself.' },
  },
  subject: 'name',
  async run(input, { workspace }, signal): Promise<string> {
    const view = viewPaths(workspace);
    const path = input.text('path') ?? '';
    const name = input.text('name') ?? '';
    const uri = view.toUser(path);
    // What the agent may not see must not be looked at for it either.
    if (uri === undefined || (await view.toAgent(uri, signal)) === undefined) {
      throw new MassGenError('workspace/not-found', `The editor's window has no file ${path}.`);
    }
    const document = await raceAbort(open(uri, path), signal);
    const position = placeOf(document, name, (input.integer('line') ?? 1) - 1);
    if (position === undefined) {
      throw new MassGenError('tool/invalid-input', `"${name}" does not stand in ${path}.`, {
        hint: "The user's file may differ from your copy.",
      });
    }
    const found = await ask(signal, 'vscode.executeReferenceProvider', uri, position);
    const places = list(found).filter((one) => one instanceof vscode.Location);
    const lines = await shownPlaces(view, places, signal);
    return lines.length === 0
      ? `The editor knows no use of "${name}". Try search_text.`
      : `${own}\n${bounded(lines)}`;
  },
});

async function shownPlaces(
  view: ViewPaths,
  places: readonly vscode.Location[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { uri, range } of places) {
    const shown = await view.toAgent(uri, signal);
    if (shown !== undefined) {
      const document = await raceAbort(open(uri, shown), signal);
      const { line } = range.start;
      const text = line < document.lineCount ? document.lineAt(line).text.trim() : '';
      lines.push(`${shown}:${line + 1}: ${clip(text, lineChars)}`);
    }
  }
  return lines;
}

/** The whole name nearest to a line (from 0). */
function placeOf(
  document: vscode.TextDocument,
  name: string,
  line: number,
): vscode.Position | undefined {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const whole = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${plain}(?![\p{L}\p{N}_$])`, 'gu');
  let nearest: vscode.Position | undefined;
  for (const match of document.getText().matchAll(whole)) {
    const at = document.positionAt(match.index);
    if (nearest === undefined || Math.abs(at.line - line) < Math.abs(nearest.line - line)) {
      nearest = at;
    }
  }
  return nearest;
}

async function open(uri: vscode.Uri, path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new MassGenError('workspace/not-text', `The editor cannot open ${path} as text.`, {
      cause: error,
    });
  }
}

/** The editor's commands take no token: what comes after the end is not waited for. */
async function ask(signal: AbortSignal, command: string, ...args: unknown[]): Promise<unknown> {
  const asking = Promise.resolve(vscode.commands.executeCommand(command, ...args));
  try {
    return await raceAbort(asking, signal);
  } catch (error) {
    signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    throw new MassGenError('tool/failed', `The editor could not tell: ${words}`, { cause: error });
  }
}

function list(found: unknown): readonly unknown[] {
  return Array.isArray(found) ? found : [];
}
