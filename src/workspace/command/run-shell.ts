import type { Readable } from 'node:stream';
import { onAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { CommandResult } from '../../core/ports/workspace';
import { within } from '../confinement/within';
import type { BareCommand } from './bare-shell';
import { startBare } from './bare-shell';
import { OutputWindow } from './output-window';
import type { StartedProcess } from './started-process';

export interface ShellLimits {
  readonly timeoutMs: number;
  readonly onOutput?: (text: string) => void;
  /** Gathers the output, so that others can look at it meanwhile; absent: one of its own. */
  readonly output?: OutputWindow;
  /** Asked every few seconds: why the command must end now, `undefined` when it may go on. */
  readonly reasonToEnd?: () => Promise<string | undefined>;
}

export interface ShellCommand extends Omit<BareCommand, 'argv'>, ShellLimits {
  /** Shell text, run as it is. */
  readonly command: string;
}

const outputLimitBytes = 64 * 1024 * 1024;
const graceMs = 2000;
const abortGraceMs = 300;
const drainMs = 500;
const checkEveryMs = 5000;

type End =
  | { readonly type: 'exit'; readonly code: number | null }
  | { readonly type: 'timeout' }
  | { readonly type: 'limit'; readonly reason: string }
  | { readonly type: 'abort' }
  | { readonly type: 'error'; readonly error: Error };

/**
 * Runs a command in its own process group with closed input. The result is decided by the exit of the shell and half a
 * second of draining; whatever it left running is ended then. Rejects with the reason of `signal` after everything of
 * the command has been killed, or with `tool/failed` when the shell does not start.
 */
export async function runShell(request: ShellCommand, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  const argv = ['/bin/sh', '-c', request.command];
  return runStarted(startBare({ ...request, argv }), request, signal);
}

/** The same for a command that has been started already, however it is confined. */
export async function runStarted(
  started: StartedProcess,
  limits: ShellLimits,
  signal: AbortSignal,
): Promise<CommandResult> {
  const output = limits.output ?? new OutputWindow();
  const end = await firstEnd(started, limits, output, signal);
  await finish(started, end);
  if (end.type === 'error') {
    throw new MassGenError('tool/failed', `The shell did not start: ${end.error.message}.`, {
      cause: end.error,
    });
  }
  signal.throwIfAborted();
  if (end.type === 'exit' && !started.hasBegun()) {
    throw new MassGenError(
      'tool/failed',
      `The command was not run, because it could not be confined: ${output.text().trim()}`,
    );
  }
  const limit = end.type === 'limit' ? `\n[The command was ended: ${end.reason}.]` : '';
  return {
    exitCode: end.type === 'exit' ? end.code : null,
    isTimedOut: end.type === 'timeout',
    output: output.text() + limit,
    outputBytes: output.bytes,
  };
}

/** Collects output until the first thing happens that ends the command. */
async function firstEnd(
  { child }: StartedProcess,
  limits: ShellLimits,
  output: OutputWindow,
  signal: AbortSignal,
): Promise<End> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle({ type: 'timeout' }), limits.timeoutMs);
    const checks = setInterval(() => {
      // A check that fails says nothing about the command.
      limits.reasonToEnd?.().then(
        (reason) => reason !== undefined && settle({ type: 'limit', reason }),
        () => undefined,
      );
    }, checkEveryMs);
    const settle = (end: End): void => {
      clearTimeout(timer);
      clearInterval(checks);
      resolve(end);
    };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk: Buffer) => {
        if (output.bytes > outputLimitBytes) {
          return;
        }
        const text = output.push(stream, chunk);
        limits.onOutput?.(text);
        if (output.bytes > outputLimitBytes) {
          settle({ type: 'limit', reason: 'too much output' });
        }
      });
    }
    child.once('error', (error) => settle({ type: 'error', error }));
    child.once('exit', (code) => settle({ type: 'exit', code }));
    const listening = onAbort(signal, () => settle({ type: 'abort' }));
    child.once('close', () => listening.dispose());
  });
}

/** Drains or ends what is left, so that no process of the command outlives the call. */
async function finish(started: StartedProcess, end: End): Promise<void> {
  const { child } = started;
  if (child.pid === undefined) {
    return;
  }
  // The output alone: other streams of the process stay open as long as this process wants.
  const closed = Promise.all([whenClosed(child.stdout), whenClosed(child.stderr)]);
  if (end.type === 'exit') {
    await within(closed, drainMs);
  } else {
    started.terminate();
    await within(closed, end.type === 'abort' ? abortGraceMs : graceMs);
  }
  await started.kill();
  child.stdout?.destroy();
  child.stderr?.destroy();
}

async function whenClosed(stream: Readable | null): Promise<void> {
  if (stream !== null && !stream.closed) {
    await new Promise<void>((resolve) => stream.once('close', () => resolve()));
  }
}
