import { linkAbort, onAbort, raceAbort } from '../../base/abort';
import { AsyncQueue } from '../../base/async-queue';
import { DisposableStore } from '../../base/disposable';
import { MassGenError, isCancelled, isMassGenError } from '../../core/errors';
import type { Clock } from '../../core/ports/clock';
import type { Logger } from '../../core/ports/logger';
import type {
  ApprovalQuestion,
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { AgentProtocol, AgentPrompt, AgentSession, SessionPart } from './agent-session';
import { BoundedParts } from './bounded-parts';
import { Bridge } from './bridge/bridge';
import { promptContent } from './prompt-text';

export interface AgentBackendParts {
  readonly protocol: AgentProtocol;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A program that was asked to leave off has this long before it is ended; the stream must end within a second. */
const cancelMs = 500;

/** What the session has been told of the turn that it was last asked in. */
interface Told {
  readonly session: AgentSession;
  readonly attempt: number;
  readonly turnNo: number;
  readonly messages: number;
}

interface Played {
  readonly end: 'stop' | 'length';
}

/** A prompt under way. */
interface Playing {
  readonly work: Promise<Played>;
  readonly queue: AsyncQueue<SessionPart>;
  readonly onUsage: (part: BackendPart) => void;
}

/** One agent program as a model: one request is one prompt, and the calls of workflow tools that it makes meanwhile. */
export class AgentBackend implements ModelBackend {
  readonly capabilities: ModelCapabilities;
  readonly #parts: AgentBackendParts;
  readonly #closing = new AbortController();
  #bridge: Promise<Bridge> | undefined;
  #session: AgentSession | undefined;
  #sessionId: string | undefined;
  #told: Told | undefined;
  /** Of the turn that is going on. */
  #approve: AgentPrompt['approve'] = nobody;
  #mayBeUnconfined = false;
  /**
   * The session failed at a prompt that told it everything, and may have kept that or not. Another try tells everything to a
   * new one: none is told twice, and nothing is missing. What is told to a session on the way is little, and is told again
   * after a failure: hearing it twice does less harm than not at all.
   */
  #isGivenUp = false;
  /** Settles when nothing of the stream before is under way any more. Never rejects. */
  #before: Promise<void> = Promise.resolve();

  /** Settles when the last prompt has ended. Never rejects. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: AgentBackendParts) {
    this.#parts = parts;
    this.capabilities = parts.protocol.capabilities;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    const { clock, protocol } = this.#parts;
    const branch = linkAbort(signal);
    const own = new DisposableStore();
    own.add(onAbort(this.#closing.signal, (reason) => branch.abort(reason)));
    own.add(clock.after(protocol.promptMs, () => branch.abort(this.#timeError())));
    const queue = new AsyncQueue<SessionPart>();
    const before = this.#before;
    let isOver: () => void = () => undefined;
    this.#before = new Promise((resolve) => (isOver = resolve));
    let work: Promise<Played> | undefined;
    // Tokens and costs of one prompt; the last that is told counts, also when the prompt fails.
    let usage: readonly BackendPart[] = [];
    const onUsage = (part: BackendPart): void => void (usage = [part]);
    try {
      await raceAbort(before, branch.signal);
      work = this.#play(request, (part) => void queue.push(part), branch.signal);
      const done = (): void => undefined;
      this.#work = work.then(done, done);
      yield* this.#passOn({ work, queue, onUsage }, branch.signal);
      const { end } = await raceAbort(work, branch.signal);
      const bridge = await this.#bridge;
      const calls = bridge?.desk.close() ?? [];
      yield* calls.map((call): BackendPart => ({ type: 'tool-call', call }));
      yield* usage;
      const isCalled = calls.length > 0 && end === 'stop';
      yield { type: 'end', reason: isCalled ? 'tool-calls' : end };
    } catch (error) {
      await protocol.concealNew?.();
      yield* usage;
      yield toEnd(this.#toError(error, branch.signal));
    } finally {
      own.dispose();
      // A reader that left early has stopped the program's turn as well.
      branch.abort(new MassGenError('cancelled/superseded', 'the stream is over'));
      branch.dispose();
      void this.#settle(work, before).then(isOver, isOver);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new MassGenError('cancelled/shutdown', 'The run is over.'));
    await this.#session?.close();
    // A session that was being opened meanwhile; whether somebody still reads a stream does not matter.
    await this.#work;
    await this.#session?.close();
    await (await this.#bridge?.catch(() => undefined))?.close();
    await this.#parts.protocol.close();
  }

  /** Parts as they come, but for the usage, which is to be sent last. */
  async *#passOn(
    { work, queue, onUsage }: Playing,
    signal: AbortSignal,
  ): AsyncGenerator<BackendPart, void> {
    const end = (): void => queue.close();
    work.then(end, end);
    const bounds = new BoundedParts(this.#parts.protocol.title);
    for (;;) {
      const part = await raceAbort(queue.next(), signal);
      signal.throwIfAborted();
      // Before anything is shown that the program may have read there.
      await this.#parts.protocol.concealNew?.();
      if (part === undefined) {
        return;
      }
      if (part.type === 'usage') {
        onUsage(part);
      } else {
        yield* bounds.take(part);
      }
    }
  }

  async #play(
    request: ModelRequest,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<Played> {
    signal.throwIfAborted();
    this.#bridge ??= Bridge.start();
    const bridge = await this.#bridge;
    const approve = request.approve ?? nobody;
    this.#approve = approve;
    const session = await this.#openSession(bridge, emit, signal);
    const { step, messages, tools } = request;
    const known = this.#knownTo(session, request);
    const { text, media } = promptContent(request, known);
    bridge.offer(tools);
    const watch = onAbort(signal, () => session.cancel());
    try {
      const end = await session.prompt({ text, media, approve }, emit, signal);
      signal.throwIfAborted();
      this.#told = {
        ...{ session, attempt: step.attempt, turnNo: step.turnNo },
        messages: messages.length,
      };
      return { end };
    } catch (error) {
      this.#isGivenUp = known === 0 && !isCancelled(this.#toError(error, signal));
      throw error;
    } finally {
      this.#sessionId = session.id ?? this.#sessionId;
      watch.dispose();
    }
  }

  async #openSession(
    bridge: Bridge,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<AgentSession> {
    const { protocol, logger } = this.#parts;
    if (this.#session?.isOpen === true && !this.#isGivenUp) {
      return this.#session;
    }
    await this.#session?.close();
    const known = this.#isGivenUp ? undefined : this.#sessionId;
    this.#sessionId = undefined;
    this.#isGivenUp = false;
    const before = this.#told;
    const session = await protocol.open(
      {
        ...{ bridge, life: this.#closing.signal },
        mayRunUnconfined: async (question, stop) => this.#mayRunUnconfined(question, stop),
      },
      known,
      emit,
      signal,
    );
    logger.debug('backend', `${protocol.title}: ${session.isResumed ? 'went on' : 'new session'}`);
    this.#session = session;
    this.#told = session.isResumed && before !== undefined ? { ...before, session } : undefined;
    return session;
  }

  /** What was allowed holds for every further start. */
  async #mayRunUnconfined(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
    this.#mayBeUnconfined ||= await raceAbort(this.#approve(question, signal), signal);
    return this.#mayBeUnconfined;
  }

  /** Messages of this turn that the session knows. */
  #knownTo(session: AgentSession, { step, messages }: ModelRequest): number {
    const told = this.#told;
    const isSameTurn =
      told?.session === session && told.attempt === step.attempt && told.turnNo === step.turnNo;
    return isSameTurn && told.messages < messages.length ? told.messages : 0;
  }

  /** A program that does not leave off when it is asked to is ended. Never rejects. */
  async #settle(work: Promise<unknown> | undefined, before: Promise<void>): Promise<void> {
    await before;
    if (work === undefined) {
      return;
    }
    const own = new DisposableStore();
    const late = new Promise<'late'>((resolve) => {
      own.add(this.#parts.clock.after(cancelMs, () => resolve('late')));
    });
    const done = work.then(
      () => 'done' as const,
      () => 'done' as const,
    );
    if ((await Promise.race([done, late])) === 'late') {
      await this.#session?.close().catch(() => undefined);
      await done;
    }
    own.dispose();
    (await this.#bridge?.catch(() => undefined))?.desk.close();
  }

  #timeError(): MassGenError {
    const { title, promptMs } = this.#parts.protocol;
    const minutes = Math.round(promptMs / 60_000);
    return new MassGenError(
      'backend/network',
      `${title} did not come to an end within ${minutes} minutes.`,
      { retryable: true, hint: 'Work that takes longer needs a larger timeout_seconds.' },
    );
  }

  #toError(error: unknown, signal: AbortSignal): MassGenError {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (isMassGenError(cause)) {
      return cause;
    }
    const { title } = this.#parts.protocol;
    if (signal.aborted) {
      return new MassGenError('cancelled/user', 'The request was cancelled.', { cause });
    }
    const detail = cause instanceof Error ? cause.message : String(cause);
    return new MassGenError('backend/bad-response', `${title} failed: ${detail}`, {
      cause,
      retryable: true,
    });
  }
}

async function nobody(): Promise<boolean> {
  return false;
}

function toEnd(error: MassGenError): BackendPart {
  return { type: 'end', reason: isCancelled(error) ? 'cancelled' : 'error', error };
}
