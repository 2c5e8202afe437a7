import type { Label, Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';
import type { Revision } from '../../run/facts';
import type { RunState } from '../../run/state';
import type { TurnInput } from '../ports/agent-runtime';
import type { AgentWorkspace, PeerSnapshot } from '../ports/workspace';
import { findRevision, type ShownAnswer } from './prompt/answers';
import { shownChecks } from './prompt/check-results';

/** What one agent is shown of others in one turn, under paths that only this turn has. */
export class PeerView {
  readonly #workspace: AgentWorkspace;
  readonly #viewer: Slot;
  readonly #token: string;
  /** Names of folders by label. They stay readable to the end of the turn: the agent may hold their paths. */
  readonly #folderNames = new Map<Label, string>();

  constructor(workspace: AgentWorkspace, { slot, turnNo, state }: TurnInput) {
    this.#workspace = workspace;
    this.#viewer = slot;
    // Drawn from the seed, so that a replay sees the same paths.
    const source = ['peers', state.settings.runSeed, slot, turnNo].join('\n');
    this.#token = sha256Hex(source).slice(0, 8);
  }

  /**
   * Lets the agent read these answers beside those that it was shown before, and the files of the attempt before, and
   * nothing else of others. Unknown labels are left out.
   */
  show(state: RunState, labels: readonly Label[]): readonly ShownAnswer[] {
    const revisions = labels.flatMap((label) => findRevision(state, label) ?? []);
    for (const { label, slot } of revisions) {
      this.#nameFolder(label, slot);
    }
    const readable = [...this.#folderNames.keys()].flatMap(
      (label) => findRevision(state, label) ?? [],
    );
    const previousAttempt = state.pastAttempts.at(-1)?.snapshotId ?? undefined;
    const folders = this.#workspace.showPeers(
      readable.map((revision): PeerSnapshot => this.#snapshotOf(revision)),
      { token: this.#token, ...(previousAttempt === undefined ? {} : { previousAttempt }) },
    );
    return revisions.map((revision) => {
      const checks = shownChecks(state, revision.label, (text) =>
        this.#localized({ ...revision, text }),
      );
      return {
        revision,
        text: this.#localized(revision),
        folder: folders.get(revision.label) ?? '',
        ...(checks === undefined ? {} : { checks }),
      };
    });
  }

  /** The first answer of an agent that this turn shows has the agent's folder, later ones have their own. */
  #nameFolder(label: Label, slot: Slot): void {
    if (!this.#folderNames.has(label)) {
      const name = `agent${slot}`;
      const isTaken = [...this.#folderNames.values()].includes(name);
      this.#folderNames.set(label, isTaken ? label : name);
    }
  }

  #snapshotOf(revision: Revision): PeerSnapshot {
    const { slot, label, snapshotId } = revision;
    const folderName = this.#folderNames.get(label) ?? `agent${slot}`;
    return { slot, label, snapshotId, folderName, text: this.#localized(revision) };
  }

  /** Where something beside the answers is shown, e.g. `previous_attempt`. */
  folderOf(name: string): string {
    const root = this.#workspace.roots.find(({ kind }) => kind === 'peers');
    return `${root?.shownPath ?? ''}/${this.#token}/${name}`;
  }

  /** The author reads its own paths, everybody else those of the copy. */
  #localized({ text, slot, label }: Revision): string {
    const folder = this.#folderNames.get(label) ?? `agent${slot}`;
    return slot === this.#viewer
      ? this.#workspace.localizePaths(text)
      : this.#workspace.localizePaths(text, this.folderOf(folder));
  }
}
