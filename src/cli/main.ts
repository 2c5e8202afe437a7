#!/usr/bin/env node
// `massgen`: takes what it needs from the process, runs the command, and leaves with its exit code.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { stoppedByUser } from '../app/failures';
import { parseArguments } from './arguments';
import { exitCodes, type ExitCode } from './exit-codes';
import { failureOf } from './failure';
import { type Terminal, wantsColor } from './terminal';
import { usage } from './usage';

async function main(args: readonly string[]): Promise<ExitCode> {
  const installDir = dirname(__dirname);
  const invocation = parseArguments(args);
  if (invocation.kind === 'help') {
    process.stdout.write(usage(invocation.command));
    return exitCodes.done;
  }
  const version = readVersion(installDir);
  if (invocation.kind === 'version') {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  const { options } = invocation;
  const { execute } = await import('./execute.lazy');
  return execute(invocation, {
    args,
    cwd: process.cwd(),
    home: homedir(),
    environment: process.env,
    platform: process.platform,
    installDir,
    version,
    output: terminal(process.stdout, options.noColor),
    notes: terminal(process.stderr, options.noColor),
    input: { stream: process.stdin, isInteractive: process.stdin.isTTY && process.stdout.isTTY },
    interrupted: interruptSignal(),
  });
}

function readVersion(installDir: string): string {
  const text = readFileSync(join(installDir, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function terminal(stream: NodeJS.WriteStream, noColor: boolean): Terminal {
  return {
    write: (text) => {
      stream.write(text);
    },
    writeBytes: (bytes) => {
      stream.write(bytes);
    },
    hasColor: wantsColor(stream, process.env, noColor),
    width: Math.min(stream.isTTY ? stream.columns : 100, 120),
  };
}

/** The first interrupt stops the run and waits for its end, the second leaves at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) {
      process.exit(exitCodes.interrupted);
    }
    controller.abort(stoppedByUser());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, interrupt);
  }
  // The reader of a pipe has left, e.g. `head`: nobody waits for the rest.
  process.stdout.on('error', () => {
    controller.abort(stoppedByUser());
  });
  return controller.signal;
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const { message, hint, exitCode } = failureOf(error);
    process.stderr.write(`massgen: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
    process.exitCode = exitCode;
  },
);
