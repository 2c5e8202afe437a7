import type { Slot, SnapshotId } from '../../base/ids';
import type { TurnOutcome } from '../../run/facts';
import type { Step } from './artifact-part';

/** Files that an agent had changed in a turn that came to nothing. */
export interface UnfinishedFiles {
  readonly slot: Slot;
  readonly turnNo: number;
  readonly snapshotId: SnapshotId;
}

const cutShort: readonly TurnOutcome[] = ['restarted', 'error', 'timeout', 'cancelled'];

/**
 * Finds files of turns that were given up, failed or stopped: nobody was shown them, and the user may want them. They
 * are as the last call that ended had left them.
 */
export class UnfinishedWork {
  readonly #last = new Map<Slot, UnfinishedFiles>();

  /** What this step has left unfinished; `undefined`: nothing. */
  take({ recorded: { event }, before }: Step): UnfinishedFiles | undefined {
    switch (event.type) {
      case 'model-call-ended':
      case 'tool-call-ended': {
        const { slot, turnNo, filesAfter } = event;
        if (filesAfter !== undefined) {
          this.#last.set(slot, { slot, turnNo, snapshotId: filesAfter });
        }
        return undefined;
      }
      case 'agent-turn-ended': {
        const files = this.#end(event.slot, event.turnNo);
        return cutShort.includes(event.outcome) ? files : undefined;
      }
      case 'agent-cancelled':
        return this.#end(event.slot, before.agents[event.slot - 1]?.turn?.turnNo);
      default:
        return undefined;
    }
  }

  #end(slot: Slot, turnNo: number | undefined): UnfinishedFiles | undefined {
    const files = this.#last.get(slot);
    this.#last.delete(slot);
    return files?.turnNo === turnNo ? files : undefined;
  }
}
