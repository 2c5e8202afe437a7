import { failureFacts } from '../app/failures';
import { revealHidden } from '../run/selectors/visible-text';
import { type ExitCode, exitCodes } from './exit-codes';

/** A reason to stop that is the user's to mend; ends the command with one sentence instead of a stack. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

const placesOfKeys =
  'Keys come from the environment, or from a file .env in this folder, ~/.massgen or ~/.config/massgen.';

export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
}

/**
 * What a failed command says and how it ends; the family of an error's code says whose business it is. Services and files
 * have a say in the words, so nothing in them is left that a terminal would obey.
 */
export function failureOf(error: unknown): Failure {
  const { message, hint, exitCode } = failureInWords(error);
  return { message: shown(message), hint: hint === undefined ? undefined : shown(hint), exitCode };
}

/** Nobody reads a word of this length to its end, and it would push everything else out of the terminal. */
const longestWord = 4000;

function shown(text: string): string {
  return revealHidden(text).replace(/\S+/g, (word) =>
    word.length > longestWord ? `${word.slice(0, 200)}…` : word,
  );
}

function failureInWords(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) {
    return { message, hint: error.hint, exitCode: exitCodes.usage };
  }
  const facts = failureFacts(error);
  const family = facts?.code.split('/')[0];
  const exitCode =
    family === 'config' || family === 'backend'
      ? exitCodes.usage
      : family === 'cancelled'
        ? exitCodes.interrupted
        : exitCodes.failed;
  // A message of the one check tells itself where was looked.
  const isKey = facts?.code === 'config/missing-secret' && !message.includes('Looked in: ');
  const hint = [facts?.hint, isKey ? placesOfKeys : undefined].filter((one) => one !== undefined);
  return { message, hint: hint.length === 0 ? undefined : hint.join('\n'), exitCode };
}
