import type { Disposable } from '../base/disposable';

/** Where text for people goes, and how it may look there. */
export interface Terminal {
  write(text: string): void;
  /** As they are; absent where only text can be shown. */
  writeBytes?(bytes: Uint8Array): void;
  readonly hasColor: boolean;
  /** Characters per line. */
  readonly width: number;
  /** The terminal itself, to draw on; absent where text goes elsewhere. */
  readonly screen?: NodeJS.WriteStream;
  /** Keeps what is written until it is disposed, while something else is drawn there; absent: not possible. */
  hold?(): Disposable;
}

/** Where a person's words and keys come from. */
export interface Keyboard {
  readonly stream: NodeJS.ReadStream;
  /** A person can answer: input and output are both a terminal. Everything else is never asked anything. */
  readonly isInteractive: boolean;
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof codes;

export function styled(text: string, style: Style, { hasColor }: Terminal): string {
  return hasColor && text !== '' ? `\u001B[${codes[style]}m${text}\u001B[0m` : text;
}

/** Color only for a person who has not asked for none. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
  noColor: boolean,
): boolean {
  const asksForNone = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return stream.isTTY === true && !noColor && !asksForNone;
}
