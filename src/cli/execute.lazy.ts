import { type Again, beginRun } from './begin-run';
import { cleanUpCommand } from './clean-up-command';
import type { ExitCode } from './exit-codes';
import { exportCommand } from './export-command';
import type { Invocation } from './invocation';
import { logsCommand } from './logs-command';
import { modelsCommand } from './models-command';
import { patchCommand } from './patch-command';
import { redecideCommand } from './redecide-command';
import { replayCommand } from './replay-command';
import { resumeCommand } from './resume-command';
import { runsCommand } from './runs-command';
import { sessionsCommand } from './sessions-command';
import { viewerCommand } from './viewer-command';
import type { World } from './world';

/** What needs the whole product. */
export type HeavyKind =
  | 'run'
  | 'replay'
  | 'redecide'
  | 'resume'
  | 'runs'
  | 'logs'
  | 'export'
  | 'viewer'
  | 'patch'
  | 'clean-up'
  | 'models'
  | 'list-sessions';

/** Does what was asked for and answers with the exit code. Rejects with what `failureOf` can put into words. */
export async function execute(
  invocation: Extract<Invocation, { readonly kind: HeavyKind }>,
  world: World,
  again: Again,
): Promise<ExitCode> {
  switch (invocation.kind) {
    case 'run':
      return beginRun(invocation.options, world, again);
    case 'replay':
      return replayCommand(invocation.run, invocation.options, world);
    case 'redecide':
      return redecideCommand(invocation.run, invocation.options, world);
    case 'resume':
      return resumeCommand(invocation.run, invocation.options, world);
    case 'patch':
      return patchCommand(invocation.run, invocation.options, world);
    case 'clean-up':
      return cleanUpCommand(invocation.options, world);
    case 'models':
      return modelsCommand(invocation.type, invocation.options, world);
    case 'runs':
      return runsCommand(invocation.options, world);
    case 'list-sessions':
      return sessionsCommand(invocation.options, world);
    case 'logs':
      return logsCommand(invocation.options, world);
    case 'export':
      return exportCommand(invocation.run, invocation.options, world);
    case 'viewer':
      return viewerCommand(invocation.run, invocation.options, world);
  }
}
