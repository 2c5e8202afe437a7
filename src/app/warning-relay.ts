import type { ToolServerChanged } from '../run/call-events';
import type { WarningRaised } from '../run/events';

type Relayed = WarningRaised | ToolServerChanged;

/** Keeps what is told before the run has a log, and passes on all that comes later. */
export class WarningRelay {
  readonly #kept: Relayed[] = [];
  #send: ((event: Relayed) => void) | undefined;

  raise(code: string, message: string): void {
    this.observe({ type: 'warning-raised', code, message });
  }

  observe(event: Relayed): void {
    if (this.#send === undefined) {
      this.#kept.push(event);
    } else {
      this.#send(event);
    }
  }

  connect(send: (event: Relayed) => void): void {
    this.#send = send;
    this.#kept.splice(0).forEach(send);
  }
}
