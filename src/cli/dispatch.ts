// Loads what a command needs, and nothing else.
import { parseArguments } from './arguments';
import { type ExitCode, exitCodes } from './exit-codes';
import type { Invocation } from './invocation';
import { usage } from './usage';
import type { World } from './world';

/** Does what was asked for and answers with the exit code. Rejects with what `failureOf` can put into words. */
export async function dispatch(invocation: Invocation, world: World): Promise<ExitCode> {
  switch (invocation.kind) {
    case 'help':
      world.output.write(usage(invocation.about, world.output.width));
      return exitCodes.done;
    case 'version':
      world.output.write(`${world.version}\n`);
      return exitCodes.done;
    case 'completion': {
      const { completionScript } = await import('./completion-script.lazy');
      world.output.write(completionScript(invocation.shell));
      return exitCodes.done;
    }
    case 'validate':
    case 'list-backends':
    case 'list-examples':
    case 'example':
    case 'show-schema': {
      const { executeWithoutApp } = await import('./execute-light.lazy');
      return executeWithoutApp(invocation, world);
    }
    case 'setup':
    case 'init':
    case 'quickstart':
    case 'generate-config':
      return wizard(invocation, world);
    default: {
      const { execute } = await import('./execute.lazy');
      return execute(invocation, world, again(world));
    }
  }
}

type WizardKind = 'setup' | 'init' | 'quickstart' | 'generate-config';

async function wizard(
  invocation: Extract<Invocation, { readonly kind: WizardKind }>,
  world: World,
): Promise<ExitCode> {
  const wizards = await import('./wizards/wizards.lazy');
  const run = again(world);
  switch (invocation.kind) {
    case 'setup':
      return wizards.setupWizard({ ...invocation.options, run }, world);
    case 'init':
      return wizards.initWizard({ ...invocation.options, run }, world);
    case 'quickstart':
      return wizards.quickstartWizard({ ...invocation.options, run }, world);
    case 'generate-config':
      return wizards.generateConfig({ ...invocation.options, run }, world);
  }
}

/** Goes on as if these arguments had been given. */
function again(world: World): (args: readonly string[]) => Promise<ExitCode> {
  return (args) => dispatch(parseArguments(args), { ...world, args });
}
