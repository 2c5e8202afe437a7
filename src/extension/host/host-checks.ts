import * as vscode from 'vscode';
import type { App, ContextFolder, RunConfig } from '../../app/app-contract';
import type { CheckChoice } from '../../protocol/webview';
import type { CheckSpec } from '../../run/check-facts';
import type { Logger } from '../../core/ports/logger';
import type { Memory } from '../memory';
import { type FoundCheck, checkChoices, chosenChecks } from './check-choices';

/** Files in which the checks of a project are written. */
const sources = /(^|[/\\])(package\.json|makefile|pyproject\.toml|tox\.ini|cargo\.toml|go\.mod)$/i;

/** The checks that a run of this window would have. Reading finds commands in the project; none is ever run here. */
export class HostChecks {
  readonly #app: App;
  readonly #memory: Memory;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  #known: { readonly key: string; readonly found: Promise<readonly FoundCheck[]> } | undefined;

  constructor(parts: { app: App; memory: Memory; logger: Logger; signal: AbortSignal }) {
    this.#app = parts.app;
    this.#memory = parts.memory;
    this.#logger = parts.logger;
    this.#signal = parts.signal;
  }

  /** A saved file may have other commands now. */
  forget({ uri }: vscode.TextDocument): void {
    if (sources.test(uri.path)) {
      this.#known = undefined;
    }
  }

  async read(
    config: RunConfig | undefined,
    folders: readonly ContextFolder[],
  ): Promise<readonly CheckChoice[]> {
    const ofTeam = config?.settings.checks ?? [];
    const found = ofTeam.length > 0 ? [] : await this.#find(folders);
    return checkChoices(ofTeam, found, this.#memory.chosenChecks);
  }

  /** What a run is started with beside the team's own: what the user has turned on, where the team has none. */
  async chosen(
    config: RunConfig,
    folders: readonly ContextFolder[],
  ): Promise<{ readonly checks?: readonly CheckSpec[] }> {
    if ((config.settings.checks ?? []).length > 0) {
      return {};
    }
    const chosen = chosenChecks(await this.#find(folders), this.#memory.chosenChecks);
    return chosen.length === 0 ? {} : { checks: chosen };
  }

  async choose(name: string, isOn: boolean): Promise<void> {
    const { found } = this.#known ?? { found: Promise.resolve([]) };
    const one = (await found).find(({ spec }) => spec.name === name);
    if (one !== undefined) {
      const others = this.#memory.chosenChecks.filter((each) => each.name !== name);
      const { command } = one.spec;
      await this.#memory.setChosenChecks(isOn ? [...others, { name, command }] : others);
    }
  }

  /** Nothing of a folder is read in Restricted Mode. What cannot be read is left out. */
  async #find(folders: readonly ContextFolder[]): Promise<readonly FoundCheck[]> {
    if (!vscode.workspace.isTrusted) {
      return [];
    }
    const key = JSON.stringify(folders.map(({ path }) => path));
    if (this.#known?.key !== key) {
      const found = this.#app.proposeChecks(folders, this.#signal).catch((error: unknown) => {
        this.#logger.error('config', 'The checks of the project could not be looked for.', error);
        return [];
      });
      this.#known = { key, found };
    }
    return this.#known.found;
  }
}
