import { onAbort, raceAbort } from '../../base/abort';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { AgentWorkspace, Program, ProgramRequest } from '../../core/ports/workspace';
import { startBareProgram } from '../mcp/bare-program';

export interface OneRun {
  readonly argv: ProgramRequest['argv'];
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hosts: ProgramRequest['hosts'];
  readonly readable: readonly string[];
  /** Folders outside of the agent's view that its file is in. */
  readonly named: readonly string[];
  /** Folder to run in where it is confined; without confinement it runs in an empty one. */
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
  /** Asked before it runs without confinement. */
  readonly mayRunUnconfined: (signal: AbortSignal) => Promise<boolean>;
}

export interface OneResult {
  readonly output: string;
  readonly errors: string;
  /** `null` when it was killed. */
  readonly exitCode: number | null;
}

/** What is kept of an output, bytes. */
const outputBytes = 16 * 1024 * 1024;
const errorBytes = 64 * 1024;

/**
 * Runs a program from start to end. Throws `tool/timed-out`, `tool/denied`, `tool/failed` when it does not start, and
 * `cancelled/*`.
 */
export async function runOnce(
  workspace: AgentWorkspace,
  run: OneRun,
  signal: AbortSignal,
): Promise<OneResult> {
  const program = await start(workspace, run, signal);
  const said = { stdout: new Collected(outputBytes), stderr: new Collected(errorBytes) };
  for (const stream of ['stdout', 'stderr'] as const) {
    program.onOutput(stream, (bytes) => said[stream].add(bytes));
  }
  // Where it runs without confinement nothing else ends it with the turn.
  const tie = onAbort(signal, () => void program.stop());
  const limit = { isReached: false };
  const timer = setTimeout(() => {
    limit.isReached = true;
    void program.stop();
  }, run.timeoutMs);
  try {
    // A program that reads nothing ends its input early, which says nothing about its result.
    await program.input.write(Buffer.from(run.input)).catch(() => undefined);
    program.input.end();
    const exitCode = await raceAbort(program.ended, signal);
    if (limit.isReached) {
      const words = `It was stopped after ${run.timeoutMs / 1000} s: time limit.`;
      throw new MassGenError('tool/timed-out', words);
    }
    return { output: said.stdout.text(), errors: said.stderr.text(), exitCode };
  } finally {
    clearTimeout(timer);
    tie.dispose();
    await program.stop();
  }
}

async function start(
  workspace: AgentWorkspace,
  { argv, environment, hosts, readable, named, cwd, mayRunUnconfined }: OneRun,
  signal: AbortSignal,
): Promise<Program> {
  try {
    const request = { argv, cwd, environment, ownFolders: [], hosts, readable, named };
    return await workspace.startProgram(request, signal);
  } catch (error) {
    if (!isMassGenError(error, 'tool/unconfined')) {
      throw error;
    }
  }
  if (!(await mayRunUnconfined(signal))) {
    throw new MassGenError('tool/denied', 'It was not run: it was not allowed.', {
      hint: 'Go on without it.',
    });
  }
  return startBareProgram({ argv, environment }, signal);
}

/** The beginning of an output; of what comes after it nothing is kept. */
export class Collected {
  readonly #limit: number;
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Uint8Array): void {
    const room = this.#limit - this.#length;
    if (room > 0) {
      // A copy: a part, even an empty one, would hold on to the whole of what it is a part of.
      const part = bytes.slice(0, room);
      this.#parts.push(part);
      this.#length += part.length;
    }
  }

  text(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }
}
