import type { WarningRaised } from '../run/events';

/** Keeps warnings that come before the run has a log, and passes on all that come later. */
export class WarningRelay {
  readonly #kept: WarningRaised[] = [];
  #send: ((event: WarningRaised) => void) | undefined;

  raise(code: string, message: string): void {
    const event: WarningRaised = { type: 'warning-raised', code, message };
    if (this.#send === undefined) {
      this.#kept.push(event);
    } else {
      this.#send(event);
    }
  }

  connect(send: (event: WarningRaised) => void): void {
    this.#send = send;
    this.#kept.splice(0).forEach(send);
  }
}
