// What asks a person, or writes a team file without asking. Everything that a question needs is loaded with it.
import { type ExitCode, exitCodes } from '../exit-codes';
import type { World } from '../world';
import { beginHere } from './first-run';
import { generate } from './generate-config';
import { initialize } from './init-wizard';
import { quickstartHeadless } from './quickstart-headless';
import { offerQuickstart, quickstart } from './quickstart-wizard';
import { chooseTeamFile } from './select-config';
import { setUpKeys } from './setup-wizard';
import { asWizard, withOpenApp } from './wizard';
import type { GenerateOptions, QuickstartOptions, WizardOptions } from './wizard-options';

export type { GenerateOptions, QuickstartOptions, WizardOptions };

/** Asks for keys and keeps them in a `.env` file. Throws `UsageError` where nobody can be asked. */
export function setupWizard(options: WizardOptions, world: World): Promise<ExitCode> {
  return asWizard(options, world, async (wizard) => {
    wizard.ask.begin('Keys for MassGen');
    await setUpKeys(wizard);
    return offerQuickstart(wizard);
  });
}

/** Makes a team of what is found on this machine, with few questions, or none where nobody can be asked. */
export function quickstartWizard(options: QuickstartOptions, world: World): Promise<ExitCode> {
  if (options.headless || options.agents.length > 0 || !world.input.isInteractive) {
    return withOpenApp(options, world, (app) => quickstartHeadless(app, options, world));
  }
  return asWizard(options, world, (wizard) => {
    wizard.ask.begin('A quick team');
    return quickstart(wizard, options.config);
  });
}

/** Makes a team file step by step. Throws `UsageError` where nobody can be asked. */
export function initWizard(options: WizardOptions, world: World): Promise<ExitCode> {
  return asWizard(options, world, (wizard) => {
    wizard.ask.begin('A team file, step by step');
    return initialize(wizard);
  });
}

/** Writes a team file from the arguments alone. Throws `UsageError` for what makes no valid team. */
export function generateConfig(options: GenerateOptions, world: World): Promise<ExitCode> {
  return withOpenApp(options, world, (app) => generate(app, options, world));
}

/** Answers the path of the team file that was chosen; `undefined`: none was. Throws `UsageError` where nobody can be asked. */
export async function selectConfig(
  options: WizardOptions,
  world: World,
): Promise<string | undefined> {
  const chosen: string[] = [];
  await asWizard(options, world, async (wizard) => {
    wizard.ask.begin('Team files');
    chosen.push(await chooseTeamFile(wizard));
    return exitCodes.done;
  });
  return chosen[0];
}

/** For somebody without a team file: keys, a team, or the demonstration. Throws `UsageError` where nobody can be asked. */
export function firstRun(options: WizardOptions, world: World): Promise<ExitCode> {
  return asWizard(options, world, (wizard) => {
    wizard.ask.begin('MassGen');
    return beginHere(wizard);
  });
}
