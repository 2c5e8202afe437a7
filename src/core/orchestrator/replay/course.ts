import type { Slot } from '../../../base/ids';
import type { EventCause, ObservedEvent, RecordedEvent, RunEvent } from '../../../run/events';
import type { Effect } from '../../coordination/effects';
import type { Input, TurnReport } from '../../coordination/inputs';
import { outsideInput } from '../event-cause';
import { AgentNews, type NewsItem, sayerOf } from './agent-news';
import type { AgentReplay } from './agent-replay';

/** The first event that came out differently, as JSON; empty where there is none. */
export interface Difference {
  readonly seq: number;
  readonly expected: string;
  readonly actual: string;
}

/** The run that is played: decides, remembers and acts like the live one. */
export interface Stage {
  decide(
    input: Input,
    at: number,
  ): { readonly events: readonly RunEvent[]; readonly effects: readonly Effect[] };
  /** Takes over events that are in the log. */
  adopt(recorded: readonly RecordedEvent[]): void;
  /** The log was cut in the middle of a decision: the rest of its events. */
  complete(events: readonly RunEvent[], at: number): void;
  perform(effects: readonly Effect[], input: Input, at: number): void;
  /** Resolves when an agent that says nothing has had enough time to. */
  patience(): Promise<void>;
}

type Played = number | Difference;

/** Turns of the microtask queue within which a turn that waits for nothing says what comes next. */
const microtasks = 2_000;

/**
 * Plays a log: the recorded order is the order of inputs. A decision is made again from its cause and must come out as
 * recorded; what a turn said is awaited from the turn that is played again; all else is taken from the log.
 */
export class Course {
  readonly news = new AgentNews();
  readonly #recorded: readonly RecordedEvent[];
  readonly #agents: ReadonlyMap<Slot, AgentReplay>;
  readonly #stage: Stage;
  readonly #lastTurn = new Map<Slot, number>();
  /** Helps the agent on that is waited for. */
  #nudge: () => void = () => undefined;
  /** The program ended under the run here: what follows up to its continuation belongs to no turn. */
  #isInterrupted = false;
  /** Time of the last event before the run stood still, Unix ms. */
  #lastAt = 0;

  constructor(
    recorded: readonly RecordedEvent[],
    agents: ReadonlyMap<Slot, AgentReplay>,
    stage: Stage,
  ) {
    this.#recorded = recorded;
    this.#agents = agents;
    this.#stage = stage;
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  /** Resolves to `null` when everything came out as recorded. */
  async play(signal: AbortSignal): Promise<Difference | null> {
    let index = 0;
    while (index < this.#recorded.length) {
      signal.throwIfAborted();
      const played = await this.#step(index);
      if (typeof played !== 'number') {
        return played;
      }
      index += played;
    }
    await this.#quiet();
    return null;
  }

  /** Plays what stands at `index`; answers how many events that were. */
  async #step(index: number): Promise<Played> {
    const recorded = this.#recorded[index];
    if (recorded === undefined) {
      return 1;
    }
    const { event, by, at } = recorded;
    if (!this.#isInterrupted) {
      this.#lastAt = at;
      this.#agents.forEach(({ clock }) => clock.moveTo(at));
    }
    if (by !== undefined) {
      return this.#decision(index, recorded, by);
    }
    if (isMark(event)) {
      this.#isInterrupted = true;
      this.#stage.adopt([recorded]);
      return 1;
    }
    if (!isFact(event)) {
      return { seq: recorded.seq, expected: JSON.stringify(event), actual: '' };
    }
    return this.#fact(recorded, event);
  }

  async #fact(recorded: RecordedEvent, event: ObservedEvent): Promise<Played> {
    const sayer = this.#isInterrupted ? undefined : sayerOf(event);
    const agent = sayer === undefined ? undefined : this.#agents.get(sayer.slot);
    if (sayer !== undefined && agent !== undefined) {
      this.#prepare(agent, event, sayer);
      const said = await this.#factOf(sayer.slot, sayer.turnNo, recorded.at);
      if (said === undefined || !isSame(said, event)) {
        return different(recorded, said);
      }
    }
    this.#stage.adopt([recorded]);
    return 1;
  }

  /**
   * Lets the agent get to where it says this. Its waits end before it begins a call and not later: within a call it is
   * the time that an aborted call has left.
   */
  #prepare(
    agent: AgentReplay,
    event: ObservedEvent,
    { slot, turnNo }: { slot: Slot; turnNo: number },
  ): void {
    if (turnNo > (this.#lastTurn.get(slot) ?? 0)) {
      this.#lastTurn.set(slot, turnNo);
      agent.abandonBefore(turnNo);
    }
    this.#nudge = () => undefined;
    switch (event.type) {
      case 'model-call-started':
        this.#nudge = () => agent.clock.endWaits();
        return;
      case 'model-call-ended':
      case 'tool-call-ended':
      case 'snapshot-taken':
        agent.deliver(event);
        return;
      default:
        return;
    }
  }

  /** The next fact of this turn. A report before it is one that nothing was decided about. */
  async #factOf(slot: Slot, turnNo: number, at: number): Promise<ObservedEvent | undefined> {
    for (;;) {
      const item = await this.#await(slot, turnNo);
      if (item === undefined) {
        return undefined;
      }
      this.news.drop(slot);
      if (item.kind === 'fact') {
        return item.event;
      }
      const input = { kind: 'report' as const, slot, turnNo, report: item.report };
      const { events, effects } = this.#stage.decide(input, at);
      if (events.length > 0) {
        return undefined;
      }
      this.#stage.perform(effects, input, at);
    }
  }

  async #decision(index: number, recorded: RecordedEvent, by: EventCause): Promise<Played> {
    const { seq, at, event } = recorded;
    const expected = JSON.stringify(event);
    const input = await this.#inputOf(recorded, by);
    if (input === undefined) {
      return { seq, expected, actual: '' };
    }
    if (input.kind === 'resume') {
      this.#isInterrupted = false;
      this.#lastAt = at;
    }
    const { events, effects } = this.#stage.decide(input, at);
    const { kept, matched, wrong } = keptOf(this.#recorded.slice(index), events);
    if (wrong !== undefined) {
      return different(wrong, events[matched]);
    }
    this.#stage.adopt(kept);
    if (matched < events.length) {
      const last = kept.at(-1) ?? recorded;
      const rest = events.slice(matched);
      this.#stage.complete(isMark(last.event) ? [goingOn, ...rest] : rest, last.at);
    }
    this.#isInterrupted ||= kept.length > matched;
    if (isShutdown(input)) {
      this.#isInterrupted = true;
    } else {
      if (effects.some(({ kind }) => kind === 'abort-turn' || kind === 'end-run')) {
        // What a turn had begun when it was aborted has its end in the log.
        await this.#quiet();
      }
      this.#stage.perform(effects, input, at);
    }
    return kept.length;
  }

  async #inputOf({ event }: RecordedEvent, by: EventCause): Promise<Input | undefined> {
    switch (by.kind) {
      case 'start':
        return event.type === 'run-started' ? { kind: 'start', started: event } : undefined;
      case 'instant-ended':
      case 'resume':
        return { kind: by.kind };
      case 'report': {
        const { slot, turnNo, call } = by;
        const report = await this.#reportOf(slot, turnNo);
        return report?.call === call ? { kind: 'report', slot, turnNo, report } : undefined;
      }
      case 'turn-crashed':
        return by;
      case 'outside':
        return outsideInput(by.input);
    }
  }

  async #reportOf(slot: Slot, turnNo: number): Promise<TurnReport | undefined> {
    this.#nudge = () => undefined;
    const item = await this.#await(slot, turnNo);
    if (item?.kind !== 'report') {
      return undefined;
    }
    this.news.drop(slot);
    return item.report;
  }

  async #await(slot: Slot, turnNo: number): Promise<NewsItem | undefined> {
    for (let i = 0; i < microtasks; i++) {
      const item = this.news.peek(slot, turnNo);
      if (item !== undefined) {
        return item;
      }
      this.#nudge();
      await Promise.resolve();
    }
    const enough = new AbortController();
    const waited = this.#stage.patience().then(() => enough.abort());
    for (;;) {
      const item = this.news.peek(slot, turnNo);
      if (item !== undefined || enough.signal.aborted) {
        return item;
      }
      await Promise.race([waited, this.news.next()]);
    }
  }

  /** Lets every turn come to where it waits. */
  async #quiet(): Promise<void> {
    for (let i = 0; i < microtasks; i++) {
      await Promise.resolve();
    }
  }
}

interface KeptDecision {
  readonly kept: readonly RecordedEvent[];
  /** How many of the decision's events they hold. */
  readonly matched: number;
  /** The first that is not what was decided now. */
  readonly wrong?: RecordedEvent;
}

/** Gives agents their turns back before the rest of a decision that was marked as interrupted. */
const goingOn: RunEvent = { type: 'run-resumed' };

/**
 * The events of a decision as they stand in the log. Where it was cut off in the middle of them, the mark of the
 * interruption and its end stand between these and the rest.
 */
function keptOf(recorded: readonly RecordedEvent[], made: readonly RunEvent[]): KeptDecision {
  const kept: RecordedEvent[] = [];
  let matched = 0;
  for (const one of recorded) {
    const expected = made[matched];
    if (expected === undefined && matched > 0) {
      break;
    }
    const isNext = expected !== undefined && isSame(expected, one.event);
    const isBetween = isNext ? one.by === undefined : isInterruption(one);
    if (matched === 0 ? !isNext : !isBetween) {
      return { kept, matched, wrong: one };
    }
    kept.push(one);
    matched += isNext ? 1 : 0;
  }
  return { kept, matched };
}

/** The mark of one, or its end before the rest of a decision. */
function isInterruption({ event, by }: RecordedEvent): boolean {
  return isMark(event) || (event.type === 'run-resumed' && by === undefined);
}

/** A run that was cut off was marked when it was looked at, before it went on. */
function isMark(event: RunEvent): boolean {
  return event.type === 'run-ended' && event.outcome === 'interrupted';
}

function isShutdown(input: Input): boolean {
  return input.kind === 'cancel' && input.isShutdown === true;
}

/** How long an agent would wait is told by a clock that does not run here. */
function isSame(made: RunEvent, recorded: RunEvent): boolean {
  if (made.type === 'agent-waiting' && recorded.type === 'agent-waiting') {
    return JSON.stringify({ ...made, until: recorded.until }) === JSON.stringify(recorded);
  }
  if (made.type === 'turn-opened' && recorded.type === 'turn-opened') {
    return made.slot === recorded.slot && made.turnNo === recorded.turnNo;
  }
  return JSON.stringify(made) === JSON.stringify(recorded);
}

function different(recorded: RecordedEvent, made: RunEvent | undefined): Difference {
  return {
    seq: recorded.seq,
    expected: JSON.stringify(recorded.event),
    actual: made === undefined ? '' : JSON.stringify(made),
  };
}

const facts: Readonly<Record<ObservedEvent['type'], true>> = {
  'model-call-started': true,
  'text-delta': true,
  'model-call-ended': true,
  'tool-call-started': true,
  'tool-call-ended': true,
  'approval-requested': true,
  'approval-resolved': true,
  'agent-waiting': true,
  'workspace-opened': true,
  'turn-opened': true,
  'snapshot-taken': true,
  'instructions-read': true,
  'system-call-started': true,
  'system-call-ended': true,
  'effect-recorded': true,
  'effect-replayed': true,
  'hosted-tool-used': true,
  'tool-server-changed': true,
  'change-set-ready': true,
  'file-decided': true,
  'mix-picked': true,
  'checks-started': true,
  'check-ended': true,
  'warning-raised': true,
};

function isFact(event: RunEvent): event is ObservedEvent {
  return Object.hasOwn(facts, event.type);
}
