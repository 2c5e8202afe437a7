import type { Disposable } from '../../base/disposable';
import type { TextDelta } from '../../run/events';
import type { Clock } from '../ports/clock';

/** Pieces of text are joined for this long before they are logged. */
const gatherMs = 50;

/**
 * Joins the text deltas of one agent. `send` receives the joined ones, in order; whoever sends anything else for this
 * agent calls `flush` first, so that text never arrives after what followed it.
 */
export class DeltaGatherer implements Disposable {
  readonly #clock: Clock;
  readonly #holdBack: (text: string) => number;
  readonly #send: (delta: TextDelta) => void;
  #gathered: TextDelta | undefined;
  #timer: Disposable | undefined;

  /** `holdBack` tells how many characters at the end of a text may be the beginning of a secret. */
  constructor(clock: Clock, holdBack: (text: string) => number, send: (delta: TextDelta) => void) {
    this.#clock = clock;
    this.#holdBack = holdBack;
    this.#send = send;
  }

  add(delta: TextDelta): void {
    const before = this.#gathered;
    if (before !== undefined && !isSameStream(before, delta)) {
      this.flush();
    }
    this.#gathered =
      this.#gathered === undefined ? delta : { ...delta, text: this.#gathered.text + delta.text };
    this.#timer ??= this.#clock.after(gatherMs, () => this.#tick());
  }

  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const gathered = this.#gathered;
    this.#gathered = undefined;
    if (gathered !== undefined && gathered.text !== '') {
      this.#send(gathered);
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#gathered = undefined;
  }

  #tick(): void {
    const gathered = this.#gathered;
    if (gathered === undefined) {
      return;
    }
    const end = gathered.text.length - this.#holdBack(gathered.text);
    const rest = gathered.text.slice(end);
    this.#gathered = { ...gathered, text: gathered.text.slice(0, end) };
    this.flush();
    if (rest !== '') {
      this.#gathered = { ...gathered, text: rest };
    }
  }
}

function isSameStream(a: TextDelta, b: TextDelta): boolean {
  return a.turnNo === b.turnNo && a.call === b.call && a.isThinking === b.isThinking;
}
