// Counts that files of MassGen carry beside each happening: the iteration of the team and the round of an agent.
import type { Slot } from '../../base/ids';
import type { Step } from './artifact-part';

/**
 * The iteration is the number of the epoch: it begins at 1 and grows with every accepted answer. The round of an agent is
 * how often it was started again in this attempt. Both begin anew with an attempt.
 */
export class Progress {
  #iteration = 1;
  readonly #turns = new Map<Slot, number>();

  take({ recorded: { event } }: Step): void {
    switch (event.type) {
      case 'answer-submitted':
        this.#iteration++;
        return;
      case 'agent-turn-started':
        this.#turns.set(event.slot, (this.#turns.get(event.slot) ?? 0) + 1);
        return;
      case 'orchestration-restarted':
        this.#iteration = 1;
        this.#turns.clear();
        return;
      default:
    }
  }

  get iteration(): number {
    return this.#iteration;
  }

  /** Of the agent, or the highest of the team. */
  round(slot: Slot | null): number {
    const turns = slot === null ? Math.max(0, ...this.#turns.values()) : this.#turns.get(slot);
    return Math.max(0, (turns ?? 0) - 1);
  }
}
