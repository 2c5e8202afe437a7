import { AsyncQueue } from '../../base/async-queue';
import { DisposableStore } from '../../base/disposable';
import type { Slot } from '../../base/ids';
import type { ObservedEvent, RecordedEvent, RunEvent, RunStarted } from '../../run/events';
import type { RunState } from '../../run/state';
import type { Effect } from '../coordination/effects';
import { handle } from '../coordination/handle';
import type { Input, UserCommand } from '../coordination/inputs';
import { MassGenError, toErrorInfo } from '../errors';
import type { AgentRuntime } from '../ports/agent-runtime';
import type { CheckRunner } from '../ports/checks';
import type { Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';
import { withChangeSet } from './change-set';
import { CheckCalls } from './check-calls';
import { closeAll } from './close-all';
import { causeOf } from './event-cause';
import { type Arrival, inOrder } from './inbox-order';
import { LiveTurns, type TurnSink } from './live-turns';
import type { AgentReplay } from './replay/agent-replay';
import { Course, type Difference } from './replay/course';
import type { RunRecord } from './run-record';
import type { SecretFilter } from './secret-filter';
import { SystemCalls, type SystemModels } from './system-calls';
import { TextStreams } from './text-streams';
import { Timers } from './timers';
import { turnInput } from './turn-input';

/** An agent that says nothing for so long while its log is played, does something else than it did then. */
const patienceMs = 5_000;

export interface DriverParts {
  readonly started: RunStarted;
  readonly record: RunRecord;
  readonly runtimes: ReadonlyMap<Slot, AgentRuntime>;
  /** Whom the run itself can ask; absent: nobody. */
  readonly system?: SystemModels;
  /** Runs the checks of the settings; whoever made it closes it after the run. Absent: none can be run. */
  readonly checks?: CheckRunner;
  readonly clock: Clock;
  readonly secrets: SecretFilter;
  readonly logger: Logger;
}

/**
 * Drives one run: takes what happened from the inbox, lets the engine decide, writes its events, then carries out its
 * effects. It is the only writer, so nothing here needs a lock. All rules are in `handle`.
 */
export class Driver {
  readonly #parts: DriverParts;
  readonly #inbox = new AsyncQueue<Arrival>();
  readonly #own = new DisposableStore();
  readonly #turns: LiveTurns;
  readonly #system: SystemCalls;
  readonly #checks: CheckCalls;
  readonly #timers: Timers;
  readonly #texts: TextStreams;
  /** Set while the log is played. */
  #course: Course | undefined;
  #lastAt = 0;
  #isOver = false;
  #isBroken = false;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#timers = this.#own.add(
      new Timers(parts.clock, (timer) => this.#pushOutside({ kind: 'timer', timer })),
    );
    this.#texts = this.#own.add(
      new TextStreams(
        parts.clock,
        (text) => parts.secrets.holdBack(text),
        (event) => this.#push({ kind: 'observed', event }),
      ),
    );
    const { clock, runtimes, logger } = parts;
    const state = (): RunState => parts.record.state;
    const observe = (event: ObservedEvent): void => this.#observe(event);
    const say = (word: Input): void => this.#pushOutside(word);
    const redact = (text: string): string => parts.secrets.redact(text);
    const sink: TurnSink = {
      ...{ state, observe },
      report: (slot, turnNo, report) => this.#report({ kind: 'report', slot, turnNo, report }),
      crashed: (slot, turnNo, error) =>
        this.#crashed({ kind: 'turn-crashed', slot, turnNo, error }),
    };
    const models = parts.system ?? {};
    this.#turns = new LiveTurns({ runtimes, sink, redact, logger });
    this.#system = new SystemCalls({ models, state, observe, say, clock, redact, logger });
    this.#checks = new CheckCalls({ runner: parts.checks, state, observe, say, logger });
  }

  /** Writes the first events; call it once, before `drive`. Throws `storage/failed`: then there is no run. */
  begin(facts: readonly ObservedEvent[] = []): void {
    const now = this.#parts.clock.now();
    this.#take({ kind: 'start', started: this.#parts.started }, now);
    for (const event of facts) {
      this.#take({ kind: 'observed', event }, now);
    }
  }

  /**
   * Plays the run to its end; call it once. Settles when nothing of the run works any more and all runtimes are closed.
   * Never rejects: what breaks the driver itself ends the run with an error.
   */
  async drive(): Promise<RunState> {
    this.#guarded(() => this.#take({ kind: 'instant-ended' }, this.#lastAt));
    return this.#loop();
  }

  /**
   * Plays what the log holds, without writing. Resolves to the first event that came out differently. Call `goOn` or
   * `close` afterwards; neither may be called twice.
   */
  async replay(
    recorded: readonly RecordedEvent[],
    agents: ReadonlyMap<Slot, AgentReplay>,
    signal: AbortSignal,
  ): Promise<Difference | null> {
    const { record, clock } = this.#parts;
    this.#timers.hold();
    this.#system.hold();
    this.#checks.hold();
    this.#course = new Course(recorded, agents, {
      decide: (input, at) => this.#decide(input, at),
      adopt: (events) => record.adopt(events),
      complete: (events, at) => record.append(events, at),
      perform: (effects, input, at) => {
        this.#lastAt = Math.max(this.#lastAt, at);
        this.#performAgain(effects, input);
      },
      patience: async () =>
        new Promise((resolve) => this.#own.add(clock.after(patienceMs, resolve))),
    });
    return this.#course.play(signal);
  }

  /**
   * Goes on, like `drive`, where the replay has ended: waits last as long as was left of them, and questions without an
   * answer are asked again. The files of the agents must have been restored.
   */
  async goOn(
    recorded: readonly RecordedEvent[],
    agents: ReadonlyMap<Slot, AgentReplay>,
  ): Promise<RunState> {
    const { clock } = this.#parts;
    const now = clock.now();
    const stoodStillMs = Math.max(0, now - (this.#course?.lastAt ?? now));
    const news = this.#course?.news.takeAll() ?? [];
    this.#course = undefined;
    this.#guarded(() => {
      this.#take({ kind: 'resume' }, now);
      this.#timers.run(stoodStillMs);
      this.#system.run(recorded);
      this.#checks.run();
    });
    for (const item of news) {
      if (item.kind === 'fact') {
        this.#push({ kind: 'observed', event: item.event });
      } else {
        const { slot, turnNo, report } = item;
        this.#push({ kind: 'report', slot, turnNo, report });
      }
    }
    agents.forEach((agent) => agent.goLive(clock));
    return news.length > 0 ? this.#loop() : this.drive();
  }

  /** Ends what a replay has left: nothing of it runs any more afterwards. */
  async close(agents: ReadonlyMap<Slot, AgentReplay>): Promise<void> {
    this.#end(new MassGenError('cancelled/shutdown', 'The replay is over.'));
    agents.forEach((agent) => agent.goLive(this.#parts.clock));
    this.#inbox.close();
    await this.#shutDown();
  }

  async #loop(): Promise<RunState> {
    while (!this.#isOver) {
      const first = await this.#inbox.next();
      if (first !== undefined) {
        this.#guarded(() => this.#takeAll([first, ...this.#drained()]));
      }
    }
    await this.#shutDown();
    return this.#parts.record.state;
  }

  /** Asks for the end of the run. Idempotent. */
  cancel(by: 'user' | 'shutdown' = 'user'): void {
    this.#pushOutside({ kind: 'cancel', isShutdown: by === 'shutdown' });
  }

  /** Passes on what the user wants of a run that goes on. */
  command(command: UserCommand): void {
    this.#pushOutside({ kind: 'user', command });
  }

  /** Adds a fact from outside of any turn. */
  observe(event: ObservedEvent): void {
    this.#push({ kind: 'observed', event });
  }

  #push(input: Input): void {
    this.#inbox.push({ at: this.#parts.clock.now(), input });
  }

  /** What comes from outside of the agents may end turns: text gathered before it belongs before it. */
  #pushOutside(input: Input): void {
    this.#texts.flushAll();
    this.#push(input);
  }

  #drained(): Arrival[] {
    const items: Arrival[] = [];
    for (let item = this.#inbox.take(); item !== undefined; item = this.#inbox.take()) {
      items.push(item);
    }
    return items;
  }

  #takeAll(arrivals: readonly Arrival[]): void {
    let isDecisive = false;
    for (const { at, input } of inOrder(arrivals)) {
      this.#take(input, at);
      isDecisive ||= !isText(input);
    }
    if (isDecisive && !this.#isOver) {
      this.#take({ kind: 'instant-ended' }, this.#lastAt);
    }
  }

  /** One step: decide, write, carry out. After the end only facts are written, behind what could not be written nothing. */
  #take(input: Input, at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at);
    const { record } = this.#parts;
    if (this.#isOver) {
      if (input.kind === 'observed' && !this.#isBroken) {
        record.append([input.event], this.#lastAt);
      }
      return;
    }
    const { events, effects } = this.#decide(input, this.#lastAt);
    record.append(events, this.#lastAt, causeOf(input));
    for (const effect of effects) {
      this.#perform(effect);
    }
  }

  #decide(
    input: Input,
    at: number,
  ): { readonly events: readonly RunEvent[]; readonly effects: readonly Effect[] } {
    const { started } = this.#parts.record;
    const { events, effects } = handle(started, { at, input });
    return { events: withChangeSet(started, events), effects };
  }

  /** What the log has seen end is not waited for. */
  #performAgain(effects: readonly Effect[], input: Input): void {
    switch (input.kind) {
      case 'timer':
        this.#timers.clear(input.timer);
        break;
      case 'turn-crashed':
        this.#turns.abort(input.slot, input.turnNo, 'superseded');
        break;
      case 'judged':
      case 'planned':
        this.#system.answered(input);
        break;
      case 'checked':
        this.#checks.answered(input);
        break;
      default:
        break;
    }
    effects.forEach((effect) => this.#perform(effect));
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'start-turn':
      case 'start-presentation':
      case 'start-evaluation':
        this.#turns.start(turnInput(this.#parts.record.state, effect));
        return;
      case 'direct':
        this.#turns.direct(effect.slot, effect.turnNo, effect.call, effect.directive);
        return;
      case 'abort-turn':
        this.#turns.abort(effect.slot, effect.turnNo, effect.reason);
        return;
      case 'set-timer':
        this.#timers.set(effect.timer, this.#lastAt + effect.delayMs);
        return;
      case 'clear-timer':
        this.#timers.clear(effect.timer);
        return;
      case 'ask-judge':
      case 'classify-tools':
        this.#system.start(effect);
        return;
      case 'run-checks':
        this.#checks.start(effect);
        return;
      case 'abort-checks':
        this.#checks.abort(effect.label);
        return;
      case 'ask-human':
        // The state says what there is to choose; the choice comes as a command of the user.
        return;
      case 'end-run':
        this.#end(new MassGenError('cancelled/shutdown', 'The run is over.'));
        return;
    }
  }

  #report(input: Extract<Input, { kind: 'report' }>): void {
    if (this.#course === undefined) {
      this.#push(input);
    } else {
      this.#course.news.report(input.slot, input.turnNo, input.report);
    }
  }

  /** While a log is played, it says which turns broke. */
  #crashed(input: Extract<Input, { kind: 'turn-crashed' }>): void {
    if (this.#course === undefined) {
      this.#push(input);
    }
  }

  #observe(event: ObservedEvent): void {
    if (this.#course !== undefined) {
      this.#course.news.observe(event);
      return;
    }
    if (event.type === 'text-delta') {
      this.#texts.add(event);
      return;
    }
    if ('slot' in event) {
      this.#texts.flush(event.slot);
    }
    this.#push({ kind: 'observed', event });
  }

  #end(reason: MassGenError): void {
    this.#isOver = true;
    this.#timers.dispose();
    this.#turns.abortAll(reason);
    this.#system.abortAll(reason);
    this.#checks.abortAll(reason);
  }

  /** A broken engine or a full disk ends the run; the error is told as far as it still can be. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      const { logger, record, secrets } = this.#parts;
      logger.error('orchestrator', 'the run cannot go on', error);
      this.#isBroken = true;
      this.#end(new MassGenError('cancelled/shutdown', 'The run broke.', { cause: error }));
      record.endInMemory(
        {
          type: 'run-ended',
          outcome: 'error',
          error: toErrorInfo(error, secrets.redact.bind(secrets)),
        },
        this.#lastAt,
      );
    }
  }

  async #shutDown(): Promise<void> {
    const working = [this.#turns, this.#system, this.#checks];
    await Promise.all(working.map(async (part) => part.settled()));
    this.#texts.flushAll();
    this.#guardedDrain();
    this.#inbox.close();
    await closeAll([...this.#parts.runtimes.values()], this.#parts.logger);
    this.#own.dispose();
  }

  /** Costs and ends of calls that were cut off are facts of the run as well. */
  #guardedDrain(): void {
    try {
      for (const { at, input } of this.#drained()) {
        this.#take(input, at);
      }
    } catch (error) {
      this.#parts.logger.error('orchestrator', 'late facts could not be written', error);
    }
  }
}

function isText(input: Input): boolean {
  return input.kind === 'observed' && input.event.type === 'text-delta';
}
