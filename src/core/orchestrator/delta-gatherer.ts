import type { Disposable } from '../../base/disposable';
import type { TextDelta } from '../../run/call-events';
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
  /** Kept ends of streams that others have interrupted. */
  #waiting: TextDelta[] = [];
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
      // Text and thinking may take turns in the middle of a secret.
      this.#sendSafe();
      this.#waiting.push(...this.#taken());
    }
    const mine = this.#gathered ?? this.#resumed(delta);
    this.#gathered = mine === undefined ? delta : { ...delta, text: mine.text + delta.text };
    this.#timer ??= this.#clock.after(gatherMs, () => this.#tick());
  }

  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    for (const delta of [...this.#waiting.splice(0), ...this.#taken()]) {
      if (delta.text !== '') {
        this.#send(delta);
      }
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#gathered = undefined;
    this.#waiting.length = 0;
  }

  #tick(): void {
    this.#timer = undefined;
    this.#sendSafe();
  }

  /** Keeps what may be the beginning of a secret. */
  #sendSafe(): void {
    const gathered = this.#gathered;
    if (gathered === undefined) {
      return;
    }
    const end = gathered.text.length - this.#holdBack(gathered.text);
    const rest = gathered.text.slice(end);
    this.#gathered = rest === '' ? undefined : { ...gathered, text: rest };
    if (end > 0) {
      this.#send({ ...gathered, text: gathered.text.slice(0, end) });
    }
  }

  #taken(): readonly TextDelta[] {
    const gathered = this.#gathered;
    this.#gathered = undefined;
    return gathered === undefined ? [] : [gathered];
  }

  /** What was kept of the stream that goes on; text of an earlier call is sent, nothing follows it. */
  #resumed(delta: TextDelta): TextDelta | undefined {
    const index = this.#waiting.findIndex((one) => isSameStream(one, delta));
    const [found] = index < 0 ? [] : this.#waiting.splice(index, 1);
    const isOld = (one: TextDelta): boolean =>
      one.turnNo !== delta.turnNo || one.call !== delta.call;
    for (const old of this.#waiting.filter(isOld)) {
      this.#send(old);
    }
    this.#waiting = this.#waiting.filter((one) => !isOld(one));
    return found;
  }
}

function isSameStream(a: TextDelta, b: TextDelta): boolean {
  return a.turnNo === b.turnNo && a.call === b.call && a.isThinking === b.isThinking;
}
