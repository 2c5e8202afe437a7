import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { onAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { CommandResult } from '../../core/ports/workspace';
import { killMarked, markVariable, sendToGroup } from './marked-processes';
import { OutputWindow } from './output-window';

export interface ShellCommand {
  /** Shell text, run as it is. */
  readonly command: string;
  /** Existing absolute folder. */
  readonly cwd: string;
  /** The whole environment but for the mark; nothing of the host's own is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Unique for this command. */
  readonly mark: string;
  /** Real path of the folder around `cwd` in which nothing else works: whatever is still in it belongs to the command. */
  readonly folder: string;
  readonly timeoutMs: number;
  readonly onOutput?: (text: string) => void;
}

/**
 * Beside the command waits a process for the end of this one: if it is killed, nobody else would be left to end the
 * command's process group. The command itself takes the place of the launching shell.
 */
const launch = '(exec >/dev/null 2>&1; read -r _ <&3; kill -KILL -$$) & exec /bin/sh -c "$1" 3<&-';

const outputLimitBytes = 64 * 1024 * 1024;
const graceMs = 2000;
const abortGraceMs = 300;
const drainMs = 500;

type End =
  | { readonly type: 'exit'; readonly code: number | null }
  | { readonly type: 'timeout' }
  | { readonly type: 'flood' }
  | { readonly type: 'abort' }
  | { readonly type: 'error'; readonly error: Error };

/**
 * Runs a command in its own process group with closed input. The result is decided by the exit of the shell and half a
 * second of draining; whatever it left running is ended then. Rejects with the reason of `signal` after everything of
 * the command has been killed, or with `tool/failed` when the shell does not start.
 */
export async function runShell(request: ShellCommand, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  if (process.platform === 'win32') {
    throw new MassGenError('tool/failed', 'Commands cannot be run on Windows yet.');
  }
  const child = spawn('/bin/sh', ['-c', launch, 'sh', request.command], {
    cwd: request.cwd,
    env: { ...request.environment, [markVariable]: request.mark },
    detached: true,
    // The last one stays open as long as this process lives; nothing is ever written to it.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const output = new OutputWindow();
  const end = await firstEnd(child, request, output, signal);
  await finish(child, request, end);
  if (end.type === 'error') {
    throw new MassGenError('tool/failed', `The shell did not start: ${end.error.message}.`, {
      cause: end.error,
    });
  }
  signal.throwIfAborted();
  const flood = end.type === 'flood' ? '\n[The command was ended: too much output.]' : '';
  return {
    exitCode: end.type === 'exit' ? end.code : null,
    isTimedOut: end.type === 'timeout',
    output: output.text() + flood,
    outputBytes: output.bytes,
  };
}

/** Collects output until the first thing happens that ends the command. */
async function firstEnd(
  child: ChildProcess,
  request: ShellCommand,
  output: OutputWindow,
  signal: AbortSignal,
): Promise<End> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle({ type: 'timeout' }), request.timeoutMs);
    const settle = (end: End): void => {
      clearTimeout(timer);
      resolve(end);
    };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk: Buffer) => {
        if (output.bytes > outputLimitBytes) {
          return;
        }
        const text = output.push(stream, chunk);
        request.onOutput?.(text);
        if (output.bytes > outputLimitBytes) {
          settle({ type: 'flood' });
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
async function finish(child: ChildProcess, request: ShellCommand, end: End): Promise<void> {
  const group = child.pid;
  if (group === undefined) {
    return;
  }
  const closed = new Promise<void>((resolve) => {
    if (child.stdout?.closed === true && child.stderr?.closed === true) {
      resolve();
    }
    child.once('close', () => resolve());
  });
  if (end.type === 'exit') {
    await within(closed, drainMs);
  } else {
    sendToGroup(group, 'SIGTERM');
    await within(closed, end.type === 'abort' ? abortGraceMs : graceMs);
  }
  await killMarked({ group, mark: request.mark, folder: request.folder });
  child.stdout?.destroy();
  child.stderr?.destroy();
  const [, , , lifeline] = child.stdio;
  lifeline?.destroy();
}

/** Waits for `work`, but not longer than `limitMs`. */
async function within(work: Promise<void>, limitMs: number): Promise<void> {
  const timer = new AbortController();
  const limit = delay(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, limit]);
  timer.abort();
  await limit;
}
