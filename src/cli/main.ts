#!/usr/bin/env node
// `massgen`: takes what it needs from the process, runs the command, and leaves with its exit code.
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { isatty } from 'node:tty';
import { stoppedByUser } from '../app/failures';
import { parseArguments } from './arguments';
import { dispatch } from './dispatch';
import { exitCodes, type ExitCode } from './exit-codes';
import { failureOf, UsageError } from './failure';
import { processTerminal } from './process-terminal';
import type { Keyboard } from './terminal';

async function main(args: readonly string[]): Promise<ExitCode> {
  const installDir = dirname(__dirname);
  const invocation = parseArguments(args);
  const noColor = 'options' in invocation && invocation.options.noColor;
  return dispatch(invocation, {
    args,
    cwd: process.cwd(),
    get home(): string {
      return homeFolder();
    },
    environment: process.env,
    platform: process.platform,
    installDir,
    version: readVersion(installDir),
    output: processTerminal(process.stdout, noColor),
    notes: processTerminal(process.stderr, noColor),
    input: keyboard(),
    interrupted: interruptSignal(),
  });
}

/** What HOME says, unless it would lead somewhere else from every folder; else what the system knows of the user. */
function homeFolder(): string {
  for (const find of [homedir, (): string => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) {
        return home;
      }
    } catch {
      // The system does not know the user, as in some containers.
    }
  }
  throw new UsageError('Your home folder is not known.', 'Set HOME to its absolute path.');
}

/** Opening standard input takes a tenth of a short command's time, and most commands never read it. */
function keyboard(): Keyboard {
  return {
    get stream(): NodeJS.ReadStream {
      return process.stdin;
    },
    isInteractive: isatty(0) && isatty(1),
  };
}

function readVersion(installDir: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(installDir, 'package.json'), 'utf8'));
  const isObject = typeof manifest === 'object' && manifest !== null;
  return isObject && 'version' in manifest ? String(manifest.version) : '';
}

/** What was asked for did not reach its place, however well it went. */
let isOutputLost = false;

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
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe has left, e.g. `head`: nobody waits for the rest.
    if (error.code !== 'EPIPE' && !isOutputLost) {
      isOutputLost = true;
      process.stderr.write(`massgen: Standard output cannot be written: ${error.message}\n`);
      process.exitCode = exitCodes.failed;
    }
    controller.abort(stoppedByUser());
  });
  // Nobody reads what is told beside the result, and the result is there all the same.
  process.stderr.on('error', () => undefined);
  return controller.signal;
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = isOutputLost ? exitCodes.failed : exitCode;
  },
  (error: unknown) => {
    const { message, hint, exitCode } = failureOf(error);
    process.stderr.write(`massgen: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
    process.exitCode = exitCode;
  },
);
