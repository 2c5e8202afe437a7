import type { Label, Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';
import type { RunState } from '../../run/state';
import type { TurnInput } from '../ports/agent-runtime';
import type { AgentWorkspace, PeerSnapshot } from '../ports/workspace';
import { findRevision, type ShownAnswer } from './prompt/answers';

/** What one agent is shown of others in one turn, under paths that only this turn has. */
export class PeerView {
  readonly #workspace: AgentWorkspace;
  readonly #viewer: Slot;
  readonly #token: string;

  constructor(workspace: AgentWorkspace, { slot, turnNo, state }: TurnInput) {
    this.#workspace = workspace;
    this.#viewer = slot;
    // Drawn from the seed, so that a replay sees the same paths.
    const source = ['peers', state.settings.runSeed, slot, turnNo].join('\n');
    this.#token = sha256Hex(source).slice(0, 8);
  }

  /** Lets the agent read these answers, and the files of the attempt before, and nothing else of others. Unknown labels are left out. */
  show(state: RunState, labels: readonly Label[]): readonly ShownAnswer[] {
    const revisions = labels.flatMap((label) => findRevision(state, label) ?? []);
    const previousAttempt = state.pastAttempts.at(-1)?.snapshotId ?? undefined;
    const folders = this.#workspace.showPeers(
      revisions.map(({ slot, label, snapshotId, text }): PeerSnapshot => ({
        ...{ slot, label, snapshotId },
        text: this.#localized(text, slot),
      })),
      { token: this.#token, ...(previousAttempt === undefined ? {} : { previousAttempt }) },
    );
    return revisions.map((revision) => ({
      revision,
      text: this.#localized(revision.text, revision.slot),
      folder: folders.get(revision.slot) ?? '',
    }));
  }

  /** Where something beside the answers is shown, e.g. `previous_attempt`. */
  folderOf(name: string): string {
    const root = this.#workspace.roots.find(({ kind }) => kind === 'peers');
    return `${root?.shownPath ?? ''}/${this.#token}/${name}`;
  }

  /** The author reads its own paths, everybody else those of the copy. */
  #localized(text: string, author: Slot): string {
    return author === this.#viewer
      ? this.#workspace.localizePaths(text)
      : this.#workspace.localizePaths(text, this.folderOf(`agent${author}`));
  }
}
