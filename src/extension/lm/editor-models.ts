import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { KnownModel, Memory } from '../memory';

/**
 * The editor's language models as this extension knows them. Opening the panel lists them once, without a word to any
 * model; the user's choice is remembered. As soon as models were found or chosen, a change of them is followed.
 */
export class EditorModels implements Disposable {
  readonly #memory: Memory;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<void>());
  #hasLooked = false;
  #seen: readonly KnownModel[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#store.add(
      vscode.lm.onDidChangeChatModels(() => {
        if (this.#memory.editorModels !== undefined) {
          void this.refresh();
        } else if (this.#hasLooked) {
          void this.#list();
        }
      }),
    );
  }

  get known(): readonly KnownModel[] {
    return this.#memory.editorModels ?? this.#seen;
  }

  onDidChange(listener: () => void): Disposable {
    return this.#changes.on(listener);
  }

  /** Lists the models when the panel is first seen, so that a team can be proposed without a click. */
  async look(): Promise<void> {
    if (!this.#hasLooked && this.#memory.editorModels === undefined) {
      this.#hasLooked = true;
      await this.#list();
    }
  }

  /** Asks the editor and remembers what it offers. The list may be empty. */
  async refresh(): Promise<readonly KnownModel[]> {
    const found = await offered();
    await this.#memory.setEditorModels(found);
    this.#changes.fire();
    return found;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #list(): Promise<void> {
    this.#seen = await offered();
    this.#changes.fire();
  }
}

async function offered(): Promise<readonly KnownModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map(({ id, name, vendor, family }) => ({ id, name, vendor, family }));
}

/**
 * Three models of different families when there are that many, otherwise the families repeat in turn; empty when there
 * is no choice of families, because a team of one family hardly disagrees.
 */
export function proposeTeam(models: readonly KnownModel[]): readonly KnownModel[] {
  const byFamily = new Map<string, KnownModel[]>();
  for (const model of models) {
    const family = lineOf(model);
    byFamily.set(family, [...(byFamily.get(family) ?? []), model]);
  }
  if (byFamily.size < 2) {
    return [];
  }
  const chosen: KnownModel[] = [];
  for (let round = 0; chosen.length < 3; round++) {
    for (const family of byFamily.values()) {
      const model = family[round % family.length];
      if (model !== undefined && chosen.length < 3) chosen.push(model);
    }
  }
  return chosen;
}

/** `gpt-5`, `gpt-5-mini` and `gpt-4.1` are one line; what the editor calls a family is often one version of it. */
export function lineOf({ family }: KnownModel): string {
  return /^[a-z]+/.exec(family.toLowerCase())?.[0] ?? family.toLowerCase();
}
