import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onAbort } from '../../src/base/abort';
import type { Program, ProgramRequest } from '../../src/core/ports/workspace';
import { InMemoryWorkspace, InMemoryWorkspaces } from './in-memory-workspace';

/**
 * A workspace whose programs really run, in an empty folder and without confinement: for what is said to a program, on every
 * system. What a program may do is tested where it is confined.
 */
export class SpawningWorkspace extends InMemoryWorkspace {
  readonly #folder: string;

  /** `home`: absolute path of an existing folder. */
  constructor(home: string) {
    super(new InMemoryWorkspaces(), home);
    this.#folder = join(home, 'project');
    mkdirSync(this.#folder, { recursive: true });
  }

  override async startProgram(request: ProgramRequest, signal: AbortSignal): Promise<Program> {
    const [program, ...args] = request.argv;
    const child = spawn(program, args, {
      ...{ cwd: this.#folder, stdio: 'pipe', detached: true },
      env: { PATH: process.env['PATH'], HOME: this.#folder, ...request.environment },
    });
    const exit = once(child, 'exit');
    const closed = once(child, 'close');
    await once(child, 'spawn');
    const kill = (): void => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    };
    child.stdin.on('error', () => undefined);
    const tie = onAbort(signal, kill);
    const ended = exit.then(async () => {
      kill();
      await closed;
      tie.dispose();
      return child.exitCode;
    });
    return {
      input: {
        async write(bytes) {
          await new Promise<void>((resolve, reject) => {
            child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
          });
        },
        end: () => void child.stdin.end(),
      },
      onOutput(stream, listener) {
        child[stream].on('data', (bytes: Buffer) => void listener(bytes));
      },
      ended,
      async stop() {
        kill();
        await ended;
      },
    };
  }
}
