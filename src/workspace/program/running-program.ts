import type { Readable, Writable } from 'node:stream';
import { MassGenError } from '../../core/errors';
import type { Program } from '../../core/ports/workspace';
import type { Family, StartedProcess } from '../command/started-process';
import { within } from '../confinement/within';

type Listener = (bytes: Uint8Array) => void | Promise<void>;

const graceMs = 2000;
const drainMs = 500;

export interface ProgramOptions {
  /** Settles what the program leaves, when nothing of it runs any more. Never rejects. */
  readonly leave: () => Promise<void>;
  readonly onListenerFailure: (error: unknown) => void;
}

export class RunningProgram implements Program {
  readonly input: Program['input'];
  readonly ended: Promise<number | null>;
  readonly #started: StartedProcess;
  readonly #options: ProgramOptions;
  readonly #pumps: Readonly<Record<'stdout' | 'stderr', OutputPump | undefined>>;
  readonly #exit: Promise<number | null>;
  #isRunning = true;
  #stopping: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => {
    this.#wake = resolve;
  });

  constructor(started: StartedProcess, options: ProgramOptions) {
    this.#started = started;
    this.#options = options;
    const { child } = started;
    this.#exit = new Promise((resolve) => {
      child.once('exit', (code) => resolve(code));
      child.once('error', () => resolve(null));
    });
    this.#pumps = {
      stdout: this.#pumpOf(child.stdout),
      stderr: this.#pumpOf(child.stderr),
    };
    this.input = inputOf(child.stdin);
    this.ended = this.#end();
  }

  /** `false` as soon as nothing of it runs and what it left is settled. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** What belongs to it on this machine. */
  get family(): Family | undefined {
    return this.#started.family();
  }

  /** Resolves as soon as the program has ended by itself or was killed. */
  async exited(): Promise<void> {
    await this.#exit;
  }

  onOutput(stream: 'stdout' | 'stderr', listener: Listener): void {
    this.#pumps[stream]?.add(listener);
  }

  async stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    await this.#stopping;
    await this.ended;
  }

  async #stop(): Promise<void> {
    this.#wake();
    this.#started.terminate();
    if (!(await within(this.#exit, graceMs))) {
      await this.#started.kill();
    }
  }

  async #end(): Promise<number | null> {
    const code = await this.#exit;
    // Whoever learns of the end at the same moment may still want to hear its last words.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#started.kill();
    const pumps = Object.values(this.#pumps).filter((pump) => pump !== undefined);
    const delivered = Promise.all(pumps.map((pump) => pump.delivered()));
    // Whoever is slow gets everything; but after a stop nobody waits for them for long.
    const isDelivered = await Promise.race([
      delivered.then(() => true),
      this.#stopped.then(() => false),
    ]);
    if (!isDelivered) {
      await within(delivered, drainMs);
    }
    const { stdin, stdout, stderr } = this.#started.child;
    [stdin, stdout, stderr].forEach((stream) => stream?.destroy());
    await this.#options.leave();
    this.#isRunning = false;
    return this.#stopping === undefined ? code : null;
  }

  #pumpOf(stream: Readable | null): OutputPump | undefined {
    return stream === null ? undefined : new OutputPump(stream, this.#options.onListenerFailure);
  }
}

/** Hands on one stream, each piece when the one before has been taken. Reads nothing before its first listener. */
class OutputPump {
  readonly #stream: Readable;
  readonly #onFailure: (error: unknown) => void;
  readonly #listeners: Listener[] = [];
  #running: Promise<void> | undefined;

  constructor(stream: Readable, onFailure: (error: unknown) => void) {
    this.#stream = stream;
    this.#onFailure = onFailure;
    stream.on('error', () => undefined);
    // Keeps what nobody has asked for yet; else it would be thrown away when the process ends.
    stream.on('readable', () => undefined);
  }

  add(listener: Listener): void {
    this.#listeners.push(listener);
    this.#running ??= this.#run();
  }

  /** Resolves when listeners have got everything; at once when there are none. Never rejects. */
  async delivered(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      for await (const chunk of this.#stream) {
        if (chunk instanceof Uint8Array) {
          await this.#give(chunk);
        }
      }
    } catch {
      // The stream was closed before its end, because the program was killed.
    }
  }

  async #give(chunk: Uint8Array): Promise<void> {
    for (const listener of this.#listeners) {
      try {
        await listener(chunk);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}

function inputOf(stdin: Writable | null): Program['input'] {
  stdin?.on('error', () => undefined);
  return {
    async write(bytes): Promise<void> {
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error | null): void => {
          if (error === undefined || error === null) {
            resolve();
          } else {
            reject(new MassGenError('tool/failed', 'The program reads no more.', { cause: error }));
          }
        };
        if (stdin === null || stdin.destroyed) {
          done(new Error('Its input is closed.'));
        } else {
          stdin.write(bytes, done);
        }
      });
    },
    end(): void {
      stdin?.end();
    },
  };
}
