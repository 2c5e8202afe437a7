// What scripts read from standard output while a run goes on: `KEY: value` lines, or JSON lines.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AutomationLines } from './automation-lines';
import { AutomationStream } from './automation-stream';
import type { CliOptions } from './invocation';
import type { Places, ScriptOutput } from './script-output';
import type { World } from './world';

type OutputOptions = Pick<CliOptions, 'automation' | 'streamEvents' | 'timeline'>;

/** `undefined`: a person reads. */
export function scriptOutput(options: OutputOptions, { output }: World): ScriptOutput | undefined {
  if (options.streamEvents) {
    return new AutomationStream(output);
  }
  return options.automation ? new AutomationLines(output, options.timeline) : undefined;
}

const inboxVariable = 'MASSGEN_RUNTIME_INBOX_DIR';

/** `artifactsDir`: empty when nothing is kept. A folder that scripts are told about is there when they are. */
export function placesOf(
  artifactsDir: string,
  { inboxDir }: Pick<CliOptions, 'inboxDir'>,
  { cwd, environment }: Pick<World, 'cwd' | 'environment'>,
): Places {
  const isKept = artifactsDir !== '';
  const named = inboxDir ?? environment[inboxVariable];
  const inbox =
    named !== undefined && named !== ''
      ? resolve(cwd, named)
      : isKept
        ? join(artifactsDir, 'inbox')
        : undefined;
  if (inbox !== undefined) {
    makeFolder(inbox);
  }
  return {
    dir: isKept ? artifactsDir : undefined,
    logDir: isKept ? dirname(artifactsDir) : undefined,
    statusFile: isKept ? join(artifactsDir, 'status.json') : undefined,
    inbox,
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // Messages cannot be left there then; the run itself needs none.
  }
}
