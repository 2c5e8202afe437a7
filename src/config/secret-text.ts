import { clip } from '../base/text';

/** Beginnings of keys that services hand out. A match anywhere in a file is a key in clear text. */
const keyPattern =
  /(?:^|[^A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,}|sk_[A-Za-z0-9_]{16,}|AIza[A-Za-z0-9_-]{20,}|xai-[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|hf_[A-Za-z0-9]{20,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|r8_[A-Za-z0-9]{20,}|glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{30,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|Bearer\s+[A-Za-z0-9._~+/=-]{16,})/;

const secretName =
  /(?:api|access|auth|private)[_-]?key|token|secret|password|authorization|credential/i;

export function looksLikeKey(text: string): boolean {
  return keyPattern.test(text);
}

/** Where keys stand in a text, as offsets with the end exclusive. */
export function keyRanges(text: string): readonly (readonly [start: number, end: number])[] {
  const all = new RegExp(keyPattern.source, 'g');
  return [...text.matchAll(all)].map(({ index, 0: found }) => {
    // The character before it, if any, belongs to the match.
    const lead = /^[A-Za-z0-9]/.test(found) ? 0 : 1;
    return [index + lead, index + found.length] as const;
  });
}

/** The same text, with a word in the place of each key. */
export function withoutKeys(text: string): string {
  return keyRanges(text)
    .toReversed()
    .reduce((rest, [start, end]) => `${rest.slice(0, start)}(a key)${rest.slice(end)}`, text);
}

/** A key of the file whose value is probably a secret, whether the product knows the key or not. */
export function namesSecret(key: string): boolean {
  return secretName.test(key) && !/_tokens?(_|$)|^tokens?$/i.test(key);
}

/** What stands in a file until somebody puts a key there. */
const placeholder = /^(?:<.*>|\[.*\]|your[ _-].*|x{4,}|\*{4,}|change[ _-]?me.*|replace[ _-].*)$/i;

export function isPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

const noKey =
  /^(?:empty|none|no[-_ ]?key|not[-_ ]?(?:needed|required|used)|dummy|lm[-_]?studio|ollama|local)$/i;

/** What is written for servers that want some key and look at none, e.g. `EMPTY`. It is no secret. */
export function isNoKey(text: string): boolean {
  return noKey.test(text.trim());
}

/** A value as it may stand in a message: short, on one line, and never a key. */
export function shown(text: string): string {
  return looksLikeKey(text) ? '(a key)' : clip(text.replaceAll(/\s+/g, ' '), 40);
}

/** `NAME` of a text that is exactly `${NAME}`. */
export function variableName(text: string): string | undefined {
  return /^\s*\$\{([A-Za-z_][A-Za-z0-9_]*)\}\s*$/.exec(text)?.[1];
}
