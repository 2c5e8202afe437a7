// One server of one agent: started when it is first needed, started again when it has died, ended with its agent.
import { clip } from '../../base/text';
import { raceAbort } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { Clock } from '../../core/ports/clock';
import type { Logger } from '../../core/ports/logger';
import type { Tool, ToolServerChange } from '../../core/ports/tool';
import { Breaker } from './breaker';
import { CallLimit } from './call-limit';
import { listAll, type Listed, type ListedTools } from './list';
import { readyNotice } from './ready-notice';
import { oneLine } from './server-log';
import { serverTools } from './server-tools';
import type { ToolHost } from './tool-host';
import { toolHash } from './tool-memory';
import { type Connection, type ConnectionListeners, serverEnded } from './wire';

const startMs = 120_000;
const callMs = 300_000;
const longestCallMs = 3_600_000;
/** A call waits so long for a server that has to be started again. */
const restartMs = 30_000;
/** Characters of what a server says in a sentence of ours. */
const longestWords = 1_000;

const endedAdvice =
  'Look at the command, args and env of its entry, and whether it goes on to run in a terminal.';

export interface OpenedConnection {
  readonly connection: Connection;
  /** Nothing that the server does reaches beyond the agent's own files and the open internet. */
  readonly isConfined: boolean;
}

export interface ServerParts {
  readonly config: ToolServerConfig;
  /** Of the names of its tools. */
  readonly prefix: string;
  /** Last words of the server, or an empty text. */
  readonly lastWords: () => string;
  /** Starts or reaches the server, and greets it. `life` aborts when it must end; `signal` ends the attempt. */
  readonly connect: (
    listeners: ConnectionListeners,
    life: AbortSignal,
    signal: AbortSignal,
  ) => Promise<OpenedConnection>;
  /** Asks a person for the sign-in that an attempt was refused for; `false` when there is none to be had. */
  readonly signIn: (signal: AbortSignal) => Promise<boolean>;
  /** Own names of tools that are not as they were when a person last let this server work. */
  readonly changedTools: (listed: readonly Listed[]) => Promise<ReadonlySet<string>>;
  readonly acceptTool: (tool: Listed) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  readonly onChange: (change: ToolServerChange) => void;
}

export class McpServer implements ToolHost {
  readonly #parts: ServerParts;
  readonly #breaker: Breaker;
  readonly #closing = new AbortController();
  #opened: OpenedConnection | undefined;
  #attempt: Promise<void> | undefined;
  #tools: readonly Tool[] = [];
  /** Hashes of what the server lists now, by its own names. */
  #forms: ReadonlyMap<string, string> = new Map();
  #isStale = false;
  #failure = 'The server has not been started.';

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#breaker = new Breaker(parts.clock);
  }

  /** What it brings now: also while it is started again, so that the list stays the same. */
  get tools(): readonly Tool[] {
    return this.#breaker.waitMs > 0 ? [] : this.#tools;
  }

  get isConfined(): boolean {
    return this.#opened?.isConfined ?? false;
  }

  get isRemote(): boolean {
    const { transport, isLocalAllowed } = this.#parts.config;
    return transport.type !== 'stdio' && isLocalAllowed !== true;
  }

  get redact(): (text: string) => string {
    return this.#parts.redact;
  }

  /** Starts it or reads its tools anew where that is needed, and waits for it for a while. Rejects only with `cancelled/*`. */
  async open(waitMs: number, signal: AbortSignal): Promise<void> {
    const isReady = this.#opened !== undefined && !this.#isStale;
    // An attempt that an earlier turn has begun is not waited for again.
    if (isReady || this.#attempt !== undefined || this.#breaker.waitMs > 0) {
      return;
    }
    await this.#waitFor(this.#ensure(), waitMs, signal);
  }

  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { config, clock, redact } = this.#parts;
    const { connection } = await this.#ready(signal);
    const idleMs = config.callTimeoutMs ?? callMs;
    const limit = new CallLimit(
      clock,
      { idleMs, totalMs: Math.max(idleMs, longestCallMs) },
      signal,
    );
    try {
      const answer = await connection.request(method, params, () => limit.touch(), limit.signal);
      this.#breaker.succeeded();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (limit.isOver) {
        const message = `${config.name} gave no sign of life for ${idleMs / 1000} s; the call was given up.`;
        throw new MassGenError('tool/timed-out', message, {
          hint: 'It may have been carried out all the same. Ask for less, or go on without it.',
        });
      }
      const hasEnded = this.#opened?.connection !== connection;
      throw new MassGenError('tool/failed', said(error, redact), {
        cause: error,
        ...(hasEnded
          ? {
              hint: 'It may have been carried out or not. With the next call the server is started again.',
            }
          : {}),
      });
    } finally {
      limit.dispose();
    }
  }

  /** A server that was started again, or says that its tools have changed, may call something else by the same name. */
  async call(
    tool: Listed,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#opened !== undefined && this.#isStale) {
      await this.#waitFor(this.#ensure(), restartMs, signal);
    }
    await this.#ready(signal);
    if (this.#forms.get(tool.name) !== toolHash(tool)) {
      throw new MassGenError(
        'tool/failed',
        `${oneLine(tool.name)} is not the tool any more that it was when this turn began, so it was not called.`,
        { hint: 'It can be used from the next turn on; go on without it.' },
      );
    }
    return this.request('tools/call', { name: tool.name, arguments: input }, signal);
  }

  async acceptTool(tool: Listed): Promise<void> {
    await this.#parts.acceptTool(tool);
  }

  async close(): Promise<void> {
    this.#closing.abort(new MassGenError('cancelled/shutdown', 'The agent has ended.'));
    const opened = this.#opened;
    this.#opened = undefined;
    await this.#attempt?.catch(() => undefined);
    await opened?.connection.close().catch(() => undefined);
    if (opened !== undefined) {
      this.#tell({ status: 'stopped' });
    }
  }

  async #ready(signal: AbortSignal): Promise<OpenedConnection> {
    const { config } = this.#parts;
    if (this.#opened === undefined && this.#breaker.waitMs === 0) {
      await this.#waitFor(this.#ensure(), restartMs, signal);
    }
    if (this.#opened === undefined) {
      const seconds = Math.ceil(this.#breaker.waitMs / 1000);
      const hint =
        seconds > 0
          ? `It is tried again in ${seconds} s at the earliest; go on without it.`
          : 'Go on without it.';
      const message = `The server ${config.name} cannot be used now. ${this.#failure}`;
      throw new MassGenError('tool/failed', message, { hint });
    }
    return this.#opened;
  }

  async #waitFor(work: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
    let timer: Disposable | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.#parts.clock.after(waitMs, resolve);
    });
    try {
      await raceAbort(Promise.race([work, late]), signal);
    } finally {
      timer?.dispose();
    }
  }

  #ensure(): Promise<void> {
    this.#attempt ??= this.#try().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** Never rejects: what goes wrong is told. */
  async #try(): Promise<void> {
    const failure = await this.#attemptOnce();
    if (failure === undefined) {
      return;
    }
    try {
      const isSignedIn = await this.#parts.signIn(this.#closing.signal);
      const again = isSignedIn ? await this.#attemptOnce() : failure;
      if (again !== undefined) {
        this.#fail(again);
      }
    } catch (error) {
      this.#fail(said(error, this.#parts.redact));
    }
  }

  /** Resolves to what went wrong. */
  async #attemptOnce(): Promise<string | undefined> {
    const { clock } = this.#parts;
    const limit = new CallLimit(clock, { idleMs: startMs, totalMs: startMs }, this.#closing.signal);
    let opened = this.#opened;
    try {
      if (opened === undefined) {
        this.#tell({ status: 'connecting' });
        opened = await this.#connect(limit.signal);
      }
      this.#isStale = false;
      const listed = await listAll(opened.connection, this.#parts.config, limit.signal);
      await this.#take(opened, listed);
      return undefined;
    } catch (error) {
      await opened?.connection.close().catch(() => undefined);
      if (this.#opened === opened) {
        this.#opened = undefined;
      }
      return limit.isOver
        ? `It was not ready after ${startMs / 1000} s.`
        : `${said(error, this.#parts.redact)}${this.#adviceOn(error)}`;
    } finally {
      limit.dispose();
    }
  }

  /** What to do about a program that ends before it is of use; whatever else goes wrong says so itself. */
  #adviceOn(error: unknown): string {
    const isProgram = this.#parts.config.transport.type === 'stdio';
    const hasEnded = isMassGenError(error) && error.message === serverEnded;
    return isProgram && hasEnded ? ` ${endedAdvice}` : '';
  }

  async #connect(signal: AbortSignal): Promise<OpenedConnection> {
    const made: { opened?: OpenedConnection } = {};
    const listeners = {
      onClosed: () => {
        if (made.opened !== undefined && this.#opened === made.opened) {
          this.#opened = undefined;
          this.#fail('It has ended by itself, and is started again when it is needed.');
        }
      },
      onToolsChanged: () => {
        this.#isStale = true;
      },
    };
    const opened = await this.#parts.connect(listeners, this.#closing.signal, signal);
    made.opened = opened;
    return opened;
  }

  async #take(
    opened: OpenedConnection,
    { tools: listed, leftOut, isEndless }: ListedTools,
  ): Promise<void> {
    const changed = await this.#parts.changedTools(listed);
    this.#closing.signal.throwIfAborted();
    this.#opened = opened;
    this.#forms = new Map(listed.map((tool) => [tool.name, toolHash(tool)]));
    const { config, prefix } = this.#parts;
    const made = serverTools(this, { config, prefix, listed, changed }, opened.connection);
    this.#tools = made.tools;
    const taken = listed.length - made.leftOut;
    const all = { changed, taken, leftOut: leftOut + made.leftOut, isEndless };
    const message = readyNotice(all);
    this.#tell({
      status: 'ready',
      tools: this.#tools.map(({ name, effect }) => ({ name, effect })),
      ...(message === '' ? {} : { message }),
    });
  }

  #fail(sentence: string): void {
    if (this.#closing.signal.aborted) {
      return;
    }
    const { lastWords } = this.#parts;
    this.#breaker.failed();
    this.#failure = [sentence, lastWords()].filter((part) => part !== '').join(' ');
    const wait = Math.ceil(this.#breaker.waitMs / 60_000);
    const pause =
      wait === 0 ? '' : ` It has failed again and again, and is left alone for ${wait} minutes.`;
    this.#tell({ status: 'failed', message: `${this.#failure}${pause}` });
  }

  #tell(change: Omit<ToolServerChange, 'type' | 'server'>): void {
    const { config, onChange, logger } = this.#parts;
    const { status, message = '' } = change;
    logger.info('tool', `server ${config.name}: ${status} ${message}`.trim());
    onChange({ type: 'tool-server-changed', server: config.name, ...change });
  }
}

/** What a server or its connection said, fit for people and models. */
function said(error: unknown, redact: (text: string) => string): string {
  return clip(oneLine(redact(messageOf(error))), longestWords);
}

function messageOf(error: unknown): string {
  if (isMassGenError(error)) {
    return [error.message, error.hint ?? ''].join(' ').trim();
  }
  return error instanceof Error ? error.message : String(error);
}
