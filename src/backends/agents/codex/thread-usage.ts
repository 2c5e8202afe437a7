import type { Usage } from '../../../run/facts';
import { addedTo, hasShrunk } from '../usage-sums';

/** What threads have used so far: the program counts over all prompts of a thread, whichever process plays them. */
export class ThreadUsage {
  readonly #totals = new Map<string, Usage>();

  /** What was used since the total before; a total that has become smaller was begun anew. */
  since(threadId: string, total: Usage): Usage {
    const before = this.#totals.get(threadId) ?? {};
    this.#totals.set(threadId, total);
    return hasShrunk(before, total) ? total : addedTo(before, total);
  }
}
