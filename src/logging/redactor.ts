import { secretForms } from '../base/secret-forms';

/** Takes secrets out of texts. One per process: it must know every key that any run has loaded. */
export interface Redactor {
  /** From now on removes this value in any of its usual forms. Values under 8 characters are too common to search for. */
  add(secret: string): void;
  redact(text: string): string;
  /** How many characters at the end of `text` may be the beginning of a known secret whose rest is still to come. */
  holdBack(text: string): number;
}

const replacement = '[secret removed]';
const shortest = 8;

/** What keys of common services look like. */
const keyPatterns: readonly RegExp[] = [
  /(?<![\w-])sk-(?:[a-z0-9]{2,10}-)*[A-Za-z0-9_]{20,}[A-Za-z0-9_-]*/g,
  /(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g,
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{36,}/g,
  /(?<!\w)github_pat_[A-Za-z0-9_]{40,}/g,
  /(?<!\w)AIza[0-9A-Za-z_-]{35}/g,
  /(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /(?<!\w)(?:gsk|xai|hf|r8)[_-][A-Za-z0-9]{30,}/g,
  /(?<!\w)(?:glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{30,})/g,
  /(?<!\w)eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(?<=\bBearer\s+)[A-Za-z0-9._~+/-]{20,}=*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

export function createRedactor(): Redactor {
  const known = new Set<string>();
  let patterns: readonly RegExp[] = keyPatterns;
  return {
    add(secret) {
      if (secret.length >= shortest && !known.has(secret)) {
        known.add(secret);
        patterns = [...[...known].flatMap(patternsOf), ...keyPatterns];
      }
    },
    redact: (text) => patterns.reduce((rest, one) => rest.replace(one, replacement), text),
    holdBack: (text) => Math.max(0, ...[...known].map((secret) => openStart(text, secret))),
  };
}

/** The value as it is (also broken over lines), and its other forms. */
function patternsOf(secret: string): readonly RegExp[] {
  const others = secretForms(secret).filter((form) => form !== secret);
  return [
    new RegExp(Array.from(secret, escape).join('(?:\\r?\\n[ \\t]*)?'), 'g'),
    ...others.map((form) => new RegExp(escape(form), 'g')),
  ];
}

function openStart(text: string, secret: string): number {
  // A single letter too: a slow model sends a key in pieces as short as that.
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) {
      return length;
    }
  }
  return 0;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
