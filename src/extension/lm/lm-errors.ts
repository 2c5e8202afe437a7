import * as vscode from 'vscode';
import { type ErrorCode, MassGenError, isMassGenError } from '../../core/errors';

interface Known {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retryable?: true;
}

const known: Readonly<Record<string, Known>> = {
  NoPermissions: {
    code: 'backend/no-permission',
    hint: 'Allow MassGen to use the editor’s language models, then run again.',
  },
  Blocked: {
    code: 'backend/content-filtered',
    hint: 'The provider refuses this request; change the task or use another model.',
  },
  NotFound: {
    code: 'backend/not-found',
    hint: 'Choose Use Editor Models again to see which models the editor offers now.',
  },
};

/** More causes than this in a row are a circle. */
const deepest = 5;

/**
 * The three errors that the editor names, also where they are the cause of another one; everything else is told in the
 * provider's own words, and may be over a moment later.
 */
export function toBackendError(error: unknown): MassGenError {
  if (isMassGenError(error)) {
    return error;
  }
  const chain = causesOf(error);
  const message = ownSentence(chain);
  const match = chain
    .map((one) => (one instanceof vscode.LanguageModelError ? known[one.code] : undefined))
    .find((one) => one !== undefined);
  if (match !== undefined) {
    return new MassGenError(match.code, message, { cause: error, hint: match.hint });
  }
  if (isContextOverflow(message)) {
    return new MassGenError('backend/context-overflow', message, { cause: error });
  }
  if (chain.some((one) => one instanceof vscode.CancellationError)) {
    const words = 'The editor or the provider broke the request off.';
    return new MassGenError('backend/unavailable', words, { cause: error, retryable: true });
  }
  return new MassGenError('backend/unavailable', message, { cause: error, retryable: true });
}

export function isModelGone(error: unknown): boolean {
  return causesOf(error).some(
    (one) => one instanceof vscode.LanguageModelError && one.code === 'NotFound',
  );
}

/** The one failure that is known by its words alone: providers tell in no other way that a request is too long. */
function isContextOverflow(message: string): boolean {
  return /prompt token count of \d+ exceeds the limit|context[ _]length[ _]exceeded/i.test(message);
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let next: unknown = error;
  while (next !== undefined && next !== null && chain.length < deepest) {
    chain.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return chain;
}

function ownSentence(chain: readonly unknown[]): string {
  const [first = 'The model failed.', ...causes] = chain.map((one) =>
    one instanceof Error ? (one.message.trim() === '' ? one.name : one.message) : textOf(one),
  );
  const more = causes.find((words) => words !== '' && !first.includes(words));
  return more === undefined ? first : `${first} (${more})`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'The editor failed without a word.';
}
