import { linkAbort } from '../../base/abort';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { BackgroundCommand, CommandRequest } from '../../core/ports/workspace';
import type { Serial } from '../serial';
import type { AgentCommands } from './agent-commands';
import { OutputWindow } from './output-window';

interface Entry {
  readonly id: string;
  readonly command: string;
  readonly output: OutputWindow;
  readonly stop: () => void;
  /** Resolves when nothing of it runs and what it did has been taken over. Never rejects. */
  readonly ended: Promise<void>;
  isRunning: boolean;
  exitCode: number | null;
  /** Told after the output. */
  remark: string;
}

/** Each holds a shell, its processes and its share of the machine. */
const countLimit = 8;

/** Commands of one agent that go on while it does other things. */
export class BackgroundCommands {
  readonly #commands: AgentCommands;
  readonly #turns: Serial;
  readonly #closing: AbortSignal;
  readonly #entries = new Map<string, Entry>();

  /** `closing` aborts when the workspace is closed, and ends them all. */
  constructor(commands: AgentCommands, turns: Serial, closing: AbortSignal) {
    this.#commands = commands;
    this.#turns = turns;
    this.#closing = closing;
  }

  get isAnyRunning(): boolean {
    return [...this.#entries.values()].some(({ isRunning }) => isRunning);
  }

  /** Throws `tool/failed` when too many run already. */
  async start(
    request: CommandRequest,
    cwd: string,
    signal: AbortSignal,
  ): Promise<BackgroundCommand> {
    return this.#turns.run(async () => {
      this.#closing.throwIfAborted();
      if ([...this.#entries.values()].filter(({ isRunning }) => isRunning).length >= countLimit) {
        throw new MassGenError('tool/failed', `${countLimit} commands run already.`, {
          hint: 'Stop one of them first.',
        });
      }
      try {
        await this.#commands.prepare(request, cwd, signal);
      } catch (error) {
        await this.#commands.leave(this.#closing);
        throw error;
      }
      const entry = this.#begin(request, cwd);
      this.#entries.set(entry.id, entry);
      return toBackgroundCommand(entry);
    }, signal);
  }

  get(id: string): BackgroundCommand | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : toBackgroundCommand(entry);
  }

  async stop(id: string): Promise<BackgroundCommand | undefined> {
    const entry = this.#entries.get(id);
    entry?.stop();
    await entry?.ended;
    return this.get(id);
  }

  /** Resolves when nothing of any of them runs any more. */
  async allEnded(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
  }

  #begin(request: CommandRequest, cwd: string): Entry {
    const branch = linkAbort(this.#closing);
    const output = new OutputWindow();
    const running = this.#commands.runPrepared(request, cwd, branch.signal, output);
    const entry: Entry = {
      ...{ id: `command${this.#entries.size + 1}`, command: request.command, output },
      stop: () => branch.abort(new MassGenError('cancelled/user', 'The command was stopped.')),
      ended: running
        .then(
          ({ exitCode, isTimedOut }) => {
            entry.exitCode = exitCode;
            entry.remark = isTimedOut ? '\n[Ended at its time limit.]' : '';
          },
          (error: unknown) => {
            const isFailure = isMassGenError(error) && error.code === 'tool/failed';
            entry.remark = isFailure ? `\n[${error.message}]` : '';
          },
        )
        .then(() => this.#leave(entry))
        .finally(() => branch.dispose()),
      ...{ isRunning: true, exitCode: null, remark: '' },
    };
    return entry;
  }

  async #leave(entry: Entry): Promise<void> {
    try {
      // Whatever else is at work in the layers comes first; nothing may keep this from its turn.
      await this.#turns.run(
        () => this.#commands.leave(this.#closing),
        new AbortController().signal,
      );
    } catch (error) {
      entry.remark += `\n[What it changed was not taken over: ${String(error)}]`;
    } finally {
      entry.isRunning = false;
    }
  }
}

function toBackgroundCommand(entry: Entry): BackgroundCommand {
  const { id, command, isRunning, exitCode, output, remark } = entry;
  return {
    ...{ id, command, isRunning, exitCode },
    output: output.text() + remark,
    outputBytes: output.bytes,
  };
}
