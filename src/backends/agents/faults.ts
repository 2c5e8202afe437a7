// What can go wrong with an agent program, in sentences that say what to do.
import { clip } from '../../base/text';
import { type ErrorCode, MassGenError, isCancelled, isMassGenError } from '../../core/errors';

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

/** Nothing confines it here, and a person or a rule has said no to that. `reason`: of the missing confinement. */
export function notAllowed({ title }: ProgramFacts, reason: string): MassGenError {
  return new MassGenError(
    'tool/denied',
    `${title} was not allowed to run without confinement. ${reason}`,
    {
      hint: 'Allow it when it asks (in a terminal with --allow-commands), or take it out of the team.',
    },
  );
}

interface Verdict {
  readonly code: ErrorCode;
  readonly statuses: readonly number[];
  readonly words: RegExp;
  readonly retryable?: boolean;
}

/** The first that fits counts. Programs tell a status of HTTP, or only words. */
const verdicts: readonly Verdict[] = [
  {
    ...{ code: 'backend/auth', statuses: [401] },
    words: /not logged in|please run \/login|invalid api key|unauthorized/i,
  },
  {
    ...{ code: 'backend/rate-limited', statuses: [429], retryable: true },
    words: /\b429\b|rate.?limit|too many requests/i,
  },
  {
    ...{ code: 'backend/overloaded', statuses: [503, 529], retryable: true },
    words: /\b(503|529)\b|overloaded/i,
  },
  {
    ...{ code: 'backend/context-overflow', statuses: [413] },
    words: /prompt is too long|context window|context_length/i,
  },
  {
    ...{ code: 'backend/no-permission', statuses: [403] },
    words: /credit balance|usage limit|quota/i,
  },
  { code: 'backend/not-found', statuses: [404], words: /model .* not found/i },
  { code: 'backend/bad-request', statuses: [400], words: /invalid_request_error/i },
];

/** An error of the service behind a program. */
export function serviceFault(
  facts: ProgramFacts,
  status: number | undefined,
  said: string,
): MassGenError {
  const verdict =
    verdicts.find(({ statuses }) => status !== undefined && statuses.includes(status)) ??
    verdicts.find(({ words }) => words.test(said));
  // A conversation that is too long comes as a wrong request.
  const isTooLong = verdicts.some(
    ({ code, words }) => code === 'backend/context-overflow' && words.test(said),
  );
  const code = isTooLong ? 'backend/context-overflow' : verdict?.code;
  if (code === 'backend/auth') {
    return notSignedIn(facts, said);
  }
  return new MassGenError(
    code ?? 'backend/bad-response',
    withWords(`${facts.title} reports`, said),
    {
      retryable: verdict === undefined || verdict.retryable === true,
      ...(code === 'backend/no-permission'
        ? { hint: `Check the account that ${facts.title} is signed in with.` }
        : {}),
    },
  );
}

function withWords(sentence: string, said: string): string {
  const words = clip(said.replace(/\s+/g, ' ').trim(), 1_000);
  return words === '' ? `${sentence}.` : `${sentence}: ${words}`;
}
