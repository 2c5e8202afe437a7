import { DisposableStore } from '../../base/disposable';
import type { Disposable } from '../../base/disposable';
import type { Slot } from '../../base/ids';
import type { TextDelta } from '../../run/call-events';
import type { Clock } from '../ports/clock';
import { DeltaGatherer } from './delta-gatherer';

/** What all agents are saying, each joined into larger pieces. */
export class TextStreams implements Disposable {
  readonly #make: () => DeltaGatherer;
  readonly #own = new DisposableStore();
  readonly #ofAgents = new Map<Slot, DeltaGatherer>();

  /** `holdBack` and `send` are those of each agent's `DeltaGatherer`. */
  constructor(clock: Clock, holdBack: (text: string) => number, send: (delta: TextDelta) => void) {
    this.#make = () => new DeltaGatherer(clock, holdBack, send);
  }

  add(delta: TextDelta): void {
    const known = this.#ofAgents.get(delta.slot);
    const gatherer = known ?? this.#own.add(this.#make());
    this.#ofAgents.set(delta.slot, gatherer);
    gatherer.add(delta);
  }

  /** Sends what one agent has said so far. */
  flush(slot: Slot): void {
    this.#ofAgents.get(slot)?.flush();
  }

  flushAll(): void {
    for (const gatherer of this.#ofAgents.values()) {
      gatherer.flush();
    }
  }

  dispose(): void {
    this.#own.dispose();
  }
}
