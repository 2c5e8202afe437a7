import * as vscode from 'vscode';

/** One row of a native tree; the row knows how it looks, so a tree is a function that lists rows. */
export interface TreeRow {
  readonly item: vscode.TreeItem;
  readonly children?: readonly TreeRow[];
}

/** What fills a tree once the shell is loaded. */
export interface TreeSource {
  rows(): Promise<readonly TreeRow[]>;
  readonly onDidChange: vscode.Event<void>;
}

/** A tree that asks for its source when it is first shown. */
export class LazyTree implements vscode.TreeDataProvider<TreeRow>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #load: () => Promise<TreeSource>;
  #listening: vscode.Disposable | undefined;

  constructor(load: () => Promise<TreeSource>) {
    this.#load = load;
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    return row.item;
  }

  async getChildren(row?: TreeRow): Promise<TreeRow[]> {
    if (row !== undefined) {
      return [...(row.children ?? [])];
    }
    const source = await this.#load();
    this.#listening ??= source.onDidChange(() => this.#changes.fire(undefined));
    return [...(await source.rows())];
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#changes.dispose();
  }
}
