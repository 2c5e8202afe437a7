import type { App } from '../../app/app-contract';
import { storageDirOf, withApp } from '../open-app';
import { type ExitCode, exitCodes } from '../exit-codes';
import { UsageError } from '../failure';
import type { World } from '../world';
import { Asker, Cancelled } from './asker';
import type { WizardOptions } from './wizard-options';

/** What of the product a wizard uses. */
export type WizardApp = Pick<App, 'backendKinds' | 'detectLocalServers' | 'loadConfig'>;

/** What every step of a wizard has at hand. */
export interface Wizard {
  readonly app: WizardApp;
  readonly ask: Asker;
  readonly world: World;
  readonly run: WizardOptions['run'];
}

/** Opens the product for `conduct`. */
export function asWizard(
  options: WizardOptions,
  world: World,
  steps: (wizard: Wizard) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withOpenApp(options, world, (app) => conduct({ app, world, run: options.run }, steps));
}

/**
 * Goes through the steps. Leaving the questions ends them with the code of an interrupt; what had not been written by
 * then is not written. Throws `UsageError` where nobody can answer.
 */
export async function conduct(
  { app, world, run }: Omit<Wizard, 'ask'>,
  steps: (wizard: Wizard) => Promise<ExitCode>,
): Promise<ExitCode> {
  requirePerson(world);
  const ask = new Asker(world);
  try {
    return await steps({ app, ask, world, run });
  } catch (error) {
    if (error instanceof Cancelled) {
      ask.leave('Left. Nothing further was saved.');
      return exitCodes.interrupted;
    }
    throw error;
  }
}

export function withOpenApp<T>(
  options: WizardOptions,
  world: World,
  use: (app: WizardApp) => Promise<T>,
): Promise<T> {
  const { debug } = options;
  const storageDir = storageDirOf({ ...options, noColor: false }, world);
  return withApp({ storageDir, debug }, world, use);
}

function requirePerson({ input }: World): void {
  if (!input.isInteractive) {
    throw new UsageError(
      'Nobody can be asked here: input and output must both be a terminal.',
      'Without questions: massgen --quickstart --headless, or massgen --generate-config PATH.',
    );
  }
}
