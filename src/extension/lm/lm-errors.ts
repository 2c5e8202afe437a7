import * as vscode from 'vscode';
import { type ErrorCode, MassGenError } from '../../core/errors';

const known: Readonly<Record<string, { readonly code: ErrorCode; readonly hint: string }>> = {
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

/** The three errors that the editor names; everything else is told in the provider's own words. */
export function toBackendError(error: unknown): MassGenError {
  const match = error instanceof vscode.LanguageModelError ? known[error.code] : undefined;
  const message = ownSentence(error);
  if (match !== undefined) {
    return new MassGenError(match.code, message, { cause: error, hint: match.hint });
  }
  return new MassGenError('backend/unavailable', message, { cause: error });
}

function ownSentence(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const message = error.message.trim() === '' ? error.name : error.message;
  return cause === undefined || cause === message ? message : `${message} (${cause})`;
}
