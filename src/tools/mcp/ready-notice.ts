import { clip } from '../../base/text';
import { oneLine } from './server-log';

/** Characters of names of tools in a sentence of ours. */
const longestNames = 1_000;

/** Tools that one server may bring to an agent: with each request a model reads all of them. */
export const mostTools = 128;

/** Characters of what models are told about all tools of one server together. */
export const mostWords = 200_000;

export interface ReadyTools {
  /** Own names of tools that are not as they were. */
  readonly changed: ReadonlySet<string>;
  readonly taken: number;
  /** Wanted as well, and not taken. */
  readonly leftOut: number;
  /** There are more, which nobody has counted. */
  readonly isEndless: boolean;
}

/** What is to be known of a server that is ready, for people; empty when that is nothing. */
export function readyNotice({ changed, taken, leftOut, isEndless }: ReadyTools): string {
  const names = clip([...changed].map(oneLine).join(', '), longestNames);
  const left = isEndless ? `more than ${leftOut}` : String(leftOut);
  return [
    changed.size === 0
      ? ''
      : `These of its tools are not as they were when it was last used, so each is asked about: ${names}.`,
    leftOut === 0 && !isEndless
      ? ''
      : `Of its tools the first ${taken} are used and ${left} are left out: one server brings at most ${mostTools} tools, with ${mostWords} characters of description together. Choose with allowed_tools.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
