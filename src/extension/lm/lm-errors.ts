import * as vscode from 'vscode';
import { type ErrorCode, MassGenError, isMassGenError } from '../../core/errors';

interface Verdict {
  readonly code: ErrorCode;
  readonly hint?: string;
  readonly retryable?: true;
}

/** By the code of the editor's own error. */
const byCode: Readonly<Record<string, Verdict>> = {
  NoPermissions: {
    code: 'backend/no-permission',
    hint: 'Allow MassGen to use the editor’s language models, then run again.',
  },
  Blocked: {
    code: 'backend/no-permission',
    hint: 'The provider has blocked MassGen, often for a while after too many requests; try again later or use another model.',
  },
  NotFound: {
    code: 'backend/not-found',
    hint: 'Choose Use Editor Models again to see which models the editor offers now.',
  },
};

/** By the name of an error that the provider of the editor's own models throws. */
const byName: Readonly<Record<string, Verdict>> = {
  ChatRateLimited: { code: 'backend/rate-limited', retryable: true },
  ChatQuotaExceeded: {
    code: 'backend/no-permission',
    hint: 'Check the plan of the account that the editor is signed in with, or use another model.',
  },
};

/** The few failures that are known by words alone, because providers tell them in no other way. */
const byWords: readonly (readonly [words: RegExp, verdict: Verdict])[] = [
  [
    /prompt token count of \d+ exceeds the limit|context[ _]length[ _]exceeded|exceeds token limit/i,
    { code: 'backend/context-overflow' },
  ],
  [
    /\boff_topic\b/,
    {
      code: 'backend/content-filtered',
      hint: 'The provider takes this task for one that is not about programming; word it anew or use another model.',
    },
  ],
];

/** More causes than this in a row are a circle. */
const deepest = 5;

/**
 * The errors that have a code or a name, also where they are the cause of another one; everything else is told in the
 * provider's own words, and may be over a moment later.
 */
export function toBackendError(error: unknown): MassGenError {
  if (isMassGenError(error)) {
    return error;
  }
  const chain = causesOf(error);
  const said = ownSentence(chain);
  const verdict = chain.map(named).find((one) => one !== undefined) ?? worded(chain);
  if (verdict !== undefined) {
    const { code, ...details } = verdict;
    return new MassGenError(code, said, { cause: error, ...details });
  }
  const isBrokenOff = chain.some((one) => one instanceof vscode.CancellationError);
  const message = isBrokenOff ? 'The editor or the provider broke the request off.' : said;
  return new MassGenError('backend/unavailable', message, { cause: error, retryable: true });
}

function named(error: unknown): Verdict | undefined {
  return byCode[codeOf(error)] ?? (isErrorLike(error) ? byName[error.name] : undefined);
}

function worded(chain: readonly unknown[]): Verdict | undefined {
  const words = chain.map(wordsOf).join('\n');
  return byWords.find(([known]) => known.test(words))?.[1];
}

export function isModelGone(error: unknown): boolean {
  return causesOf(error).some((one) => codeOf(one) === 'NotFound');
}

/** The code of the editor's own error, which is of its class only where it is no cause of another; else `''`. */
function codeOf(error: unknown): string {
  const isOwn = isErrorLike(error) && error.name === new vscode.LanguageModelError().name;
  const code: unknown = isOwn ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let next: unknown = error;
  while (next !== undefined && next !== null && chain.length < deepest) {
    chain.push(next);
    next = isErrorLike(next) ? next.cause : undefined;
  }
  return chain;
}

/** A cause comes from another process as a plain object. */
function isErrorLike(value: unknown): value is Pick<Error, 'name' | 'message' | 'cause'> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'name') === 'string' &&
    typeof Reflect.get(value, 'message') === 'string'
  );
}

function ownSentence(chain: readonly unknown[]): string {
  const [first = 'The model failed.', ...causes] = chain.map(wordsOf);
  const more = causes.find((words) => words !== '' && !first.includes(words));
  return more === undefined ? first : `${first} (${more})`;
}

function wordsOf(value: unknown): string {
  if (isErrorLike(value)) {
    return value.message.trim() === '' ? value.name : value.message;
  }
  return typeof value === 'string' ? value : 'The editor failed without a word.';
}
