import type { Invocation } from './arguments';
import { cleanUpCommand } from './clean-up-command';
import type { ExitCode } from './exit-codes';
import { modelsCommand } from './models-command';
import { patchCommand } from './patch-command';
import { redecideCommand } from './redecide-command';
import { replayCommand } from './replay-command';
import { resumeCommand } from './resume-command';
import { runCommand } from './run-command';
import { runsCommand } from './runs-command';
import type { World } from './world';

/** Does what was asked for and answers with the exit code. Rejects with what `failureOf` can put into words. */
export function execute(
  invocation: Exclude<Invocation, { readonly kind: 'help' | 'version' }>,
  world: World,
): Promise<ExitCode> {
  switch (invocation.kind) {
    case 'run':
      return runCommand(invocation.options, world);
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
  }
}
