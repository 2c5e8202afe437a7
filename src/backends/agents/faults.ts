// What can go wrong with an agent program, in sentences that say what to do.
import { MassGenError, isCancelled, isMassGenError } from '../../core/errors';

export interface ProgramFacts {
  /** For people, e.g. `Claude Code`. */
  readonly title: string;
  /** What to do when it is not there, one sentence. */
  readonly installHint: string;
  /** What to do when it is not signed in, one sentence. */
  readonly signInHint: string;
}

export function notSignedIn({ title, signInHint }: ProgramFacts, said: string): MassGenError {
  return new MassGenError('backend/auth', withWords(`${title} is not signed in`, said), {
    hint: signInHint,
  });
}

/** The program does not understand how it was started or spoken to. */
export function tooOld({ title, installHint }: ProgramFacts, said: string): MassGenError {
  return new MassGenError(
    'backend/unavailable',
    withWords(`${title} does not work as this version of MassGen expects`, said),
    { hint: `It may be too old. ${installHint}` },
  );
}

export function endedEarly({ title }: ProgramFacts, said: string): MassGenError {
  return new MassGenError(
    'backend/bad-response',
    withWords(`${title} ended in the middle of its turn`, said),
    { retryable: true },
  );
}

/** What a workspace says when it could not start the program. */
export function notStarted(error: unknown, { title, installHint }: ProgramFacts): MassGenError {
  if (isMassGenError(error)) {
    if (isCancelled(error)) {
      return error;
    }
    const isMissing = /cannot be found|ENOENT|EACCES/.test(error.message);
    return new MassGenError('backend/unavailable', `${title} cannot be started: ${error.message}`, {
      cause: error,
      ...(isMissing ? { hint: installHint } : error.hint === undefined ? {} : { hint: error.hint }),
    });
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new MassGenError('bug/invariant', `${title} cannot be started: ${detail}`, {
    cause: error,
  });
}

/** An error of the service behind a program, told by a status of HTTP or only in words. */
export function serviceFault(
  facts: ProgramFacts,
  status: number | undefined,
  said: string,
): MassGenError {
  const words = withWords(`${facts.title} reports`, said);
  const is = (pattern: RegExp): boolean => pattern.test(said);
  if (status === 401 || is(/not logged in|please run \/login|invalid api key|unauthorized/i)) {
    return notSignedIn(facts, said);
  }
  if (status === 429 || is(/\b429\b|rate.?limit|too many requests/i)) {
    return new MassGenError('backend/rate-limited', words, { retryable: true });
  }
  if (status === 503 || status === 529 || is(/\b(503|529)\b|overloaded/i)) {
    return new MassGenError('backend/overloaded', words, { retryable: true });
  }
  if (status === 413 || is(/prompt is too long|context window|context_length/i)) {
    return new MassGenError('backend/context-overflow', words);
  }
  if (status === 403 || is(/credit balance|usage limit|quota/i)) {
    return new MassGenError('backend/no-permission', words, {
      hint: `Check the account that ${facts.title} is signed in with.`,
    });
  }
  if (status === 400 || status === 404) {
    return new MassGenError(status === 404 ? 'backend/not-found' : 'backend/bad-request', words);
  }
  return new MassGenError('backend/bad-response', words, { retryable: true });
}

function withWords(sentence: string, said: string): string {
  const words = said.replace(/\s+/g, ' ').trim();
  return words === '' ? `${sentence}.` : `${sentence}: ${words}`;
}
