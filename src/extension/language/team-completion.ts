import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { isTeamDocument } from './team-file';

type Language = App['teamLanguage'];

/** The YAML extension offers the same from the schema that this extension contributes; then ours stays silent. */
const yamlExtension = 'redhat.vscode-yaml';

function standsBack(): boolean {
  return vscode.extensions.getExtension(yamlExtension)?.isActive === true;
}

export class TeamCompletion implements vscode.CompletionItemProvider {
  readonly #language: Language;

  constructor(language: Language) {
    this.#language = language;
  }

  provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.CompletionItem[] {
    if (standsBack() || !isTeamDocument(document)) {
      return [];
    }
    const found = this.#language.complete(document.getText(), document.offsetAt(position));
    return found.map((completion, index) => {
      const item = new vscode.CompletionItem(
        completion.label,
        completion.kind === 'key'
          ? vscode.CompletionItemKind.Property
          : vscode.CompletionItemKind.Value,
      );
      item.detail = completion.detail;
      item.documentation = new vscode.MarkdownString(completion.documentation);
      item.insertText = completion.insertText;
      item.range = toRange(document, completion.range);
      item.sortText = String(index).padStart(4, '0');
      return item;
    });
  }
}

export class TeamHover implements vscode.HoverProvider {
  readonly #language: Language;

  constructor(language: Language) {
    this.#language = language;
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const found =
      standsBack() || !isTeamDocument(document)
        ? undefined
        : this.#language.hover(document.getText(), document.offsetAt(position));
    return found === undefined
      ? undefined
      : new vscode.Hover(
          found.lines.map((line) => new vscode.MarkdownString(line)),
          toRange(document, found.range),
        );
  }
}

function toRange(
  document: vscode.TextDocument,
  [start, end]: readonly [start: number, end: number],
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
