import type { Slot } from '../../../base/ids';
import type { ObservedEvent } from '../../../run/events';
import type { TurnReport } from '../../coordination/inputs';

/** Something a turn that is played again has said, not yet found in the log. */
export type NewsItem =
  | { readonly kind: 'fact'; readonly turnNo: number; readonly event: ObservedEvent }
  | { readonly kind: 'report'; readonly turnNo: number; readonly report: TurnReport };

/**
 * Facts that a replay takes from the log alone. Text is in the end of its call, and questions to people, calls with an
 * effect elsewhere and files of the project are not gone through again.
 */
const fromLog: ReadonlySet<string> = new Set<ObservedEvent['type']>([
  'text-delta',
  'approval-requested',
  'approval-resolved',
  'workspace-opened',
  'instructions-read',
  'effect-recorded',
  'effect-replayed',
  'hosted-tool-used',
  'tool-server-changed',
  'system-call-started',
  'system-call-ended',
  'change-set-ready',
  'file-decided',
  'warning-raised',
]);

/** The agent that says this fact again when its turns are played; `undefined`: nobody does. */
export function sayerOf(event: ObservedEvent): { slot: Slot; turnNo: number } | undefined {
  const isFromLog =
    fromLog.has(event.type) || (event.type === 'agent-waiting' && event.isShared === true);
  return !isFromLog && 'slot' in event && 'turnNo' in event
    ? { slot: event.slot, turnNo: event.turnNo }
    : undefined;
}

/** What agents have said, each in its own order. */
export class AgentNews {
  readonly #queues = new Map<Slot, NewsItem[]>();
  #wake: (() => void) | undefined;

  observe(event: ObservedEvent): void {
    const sayer = sayerOf(event);
    if (sayer !== undefined) {
      this.#add(sayer.slot, { kind: 'fact', turnNo: sayer.turnNo, event });
    }
  }

  report(slot: Slot, turnNo: number, report: TurnReport): void {
    this.#add(slot, { kind: 'report', turnNo, report });
  }

  /** The oldest of this turn; what was left of earlier turns is dropped. */
  peek(slot: Slot, turnNo: number): NewsItem | undefined {
    const queue = this.#queues.get(slot) ?? [];
    while (queue[0] !== undefined && queue[0].turnNo < turnNo) {
      queue.shift();
    }
    return queue[0]?.turnNo === turnNo ? queue[0] : undefined;
  }

  drop(slot: Slot): void {
    this.#queues.get(slot)?.shift();
  }

  /** Everything that is left, agent by agent. */
  takeAll(): readonly (NewsItem & { readonly slot: Slot })[] {
    const slots = [...this.#queues.keys()].sort((a, b) => a - b);
    return slots.flatMap((slot) =>
      (this.#queues.get(slot) ?? []).splice(0).map((item) => ({ ...item, slot })),
    );
  }

  /** Resolves when something is said. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  #add(slot: Slot, item: NewsItem): void {
    this.#queues.set(slot, [...(this.#queues.get(slot) ?? []), item]);
    this.#wake?.();
    this.#wake = undefined;
  }
}
