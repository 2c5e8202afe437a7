// A program in a pseudo-terminal of its own, and the screen that a person would see there.
import type * as NodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';

type Pty = Pick<typeof NodePty, 'spawn'>;

/** `undefined` where there is no ready-made program for this machine. */
export async function loadPty(): Promise<Pty | undefined> {
  try {
    return await import('@lydell/node-pty');
  } catch {
    return undefined;
  }
}

export interface TerminalCall {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

export class TerminalSession {
  /** Settles with the exit code, or the number of the signal as 128 + n, once all output has been drawn. */
  readonly ended: Promise<number>;
  readonly pid: number;
  /** Everything that was written, escapes included. */
  output = '';
  readonly #pty: NodePty.IPty;
  readonly #terminal: xterm.Terminal;
  readonly #waiting = new Set<() => void>();
  #drawing: Promise<void> = Promise.resolve();

  constructor(pty: Pty, { file, args, cwd, environment, columns = 80, rows = 24 }: TerminalCall) {
    this.#terminal = new xterm.Terminal({
      ...{ cols: columns, rows, scrollback: 5000, allowProposedApi: true },
    });
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', ...environment };
    this.#pty = pty.spawn(file, [...args], { cols: columns, rows, cwd, env, name: env.TERM });
    this.pid = this.#pty.pid;
    this.#pty.onData((data) => this.#draw(data));
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        const code = signal === undefined || signal === 0 ? exitCode : 128 + signal;
        void this.#drawing.then(() => resolve(code));
      });
    });
  }

  #draw(data: string): void {
    this.output += data;
    this.#drawing = this.#drawing.then(
      () => new Promise((resolve) => this.#terminal.write(data, () => resolve())),
    );
    void this.#drawing.then(() => this.#waiting.forEach((check) => check()));
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** What is in sight, without spaces at the ends of lines and empty lines at the end. */
  get screen(): string {
    const { active } = this.#terminal.buffer;
    return this.#lines(active.baseY, active.baseY + this.#terminal.rows);
  }

  /** The same with everything that has scrolled away. */
  get everything(): string {
    const { active } = this.#terminal.buffer;
    return this.#lines(0, active.length);
  }

  get isOnOwnPage(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  get modes(): xterm.IModes {
    return this.#terminal.modes;
  }

  get isCursorHidden(): boolean {
    return this.output.lastIndexOf('\u001B[?25l') > this.output.lastIndexOf('\u001B[?25h');
  }

  #lines(from: number, to: number): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: to - from },
      (_unused, i) => active.getLine(from + i)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  }

  /** Settles with the screen as soon as it fits. */
  async shows(expected: string | RegExp): Promise<string> {
    return this.until(() =>
      typeof expected === 'string' ? this.screen.includes(expected) : expected.test(this.screen),
    );
  }

  /** Fails when the program ends before that. */
  async until(fits: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (fits()) {
          this.#waiting.delete(check);
          resolve(this.screen);
        }
      };
      this.#waiting.add(check);
      check();
      void this.ended.then(() => reject(new Error(`It has ended with:\n${this.everything}`)));
    });
  }

  /** Ends it and everything that it started. */
  async close(): Promise<void> {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await this.ended;
    this.#terminal.dispose();
  }
}
