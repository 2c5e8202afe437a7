import type { App } from '../../app/app-contract';
import type { Confinement } from '../../core/ports/workspace';
import type { Logger } from '../../core/ports/logger';
import { isCancelled } from '../../core/errors';

/** How commands are confined on this machine: found out once, when somebody first asks. */
export class HostConfinement {
  readonly #app: App;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  #known: Confinement | undefined;
  #asking: Promise<void> | undefined;

  constructor(parts: { app: App; logger: Logger; signal: AbortSignal }) {
    this.#app = parts.app;
    this.#logger = parts.logger;
    this.#signal = parts.signal;
  }

  /** What is known; `undefined` while it is being found out, and then `onKnown` is called once. */
  read(onKnown: () => void): Confinement | undefined {
    this.#asking ??= this.#ask(onKnown);
    return this.#known;
  }

  async #ask(onKnown: () => void): Promise<void> {
    try {
      this.#known = await this.#app.confinement(this.#signal);
      onKnown();
    } catch (error) {
      if (!isCancelled(error)) {
        // The next look asks again.
        this.#asking = undefined;
        this.#logger.error('tool', 'The confinement of commands could not be tried.', error);
      }
    }
  }
}
