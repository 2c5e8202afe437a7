// What asks a person, or writes a team file without asking. Everything that a question needs is loaded with it.
import type { ExitCode } from '../exit-codes';
import { UsageError } from '../failure';
import type { World } from '../world';
import type { GenerateOptions, QuickstartOptions, WizardOptions } from './wizard-options';

export type { GenerateOptions, QuickstartOptions, WizardOptions };

const pending = (name: string): Promise<never> =>
  Promise.reject(new UsageError(`${name} is not available here.`));

/** Asks for keys and keeps them in a `.env` file. */
export const setupWizard = (_options: WizardOptions, _world: World): Promise<ExitCode> =>
  pending('--setup');

/** Makes a team of what is found on this machine, with few questions or none. */
export const quickstartWizard = (_options: QuickstartOptions, _world: World): Promise<ExitCode> =>
  pending('--quickstart');

/** Makes a team file step by step. */
export const initWizard = (_options: WizardOptions, _world: World): Promise<ExitCode> =>
  pending('--init');

/** Writes a team file from the arguments alone. */
export const generateConfig = (_options: GenerateOptions, _world: World): Promise<ExitCode> =>
  pending('--generate-config');

/** Answers the path of the team file that was chosen; `undefined`: none was. */
export const selectConfig = (_options: WizardOptions, _world: World): Promise<string | undefined> =>
  pending('--select');

/** For somebody without a team file: keys, then a team. */
export const firstRun = (_options: WizardOptions, _world: World): Promise<ExitCode> =>
  pending('--quickstart');
