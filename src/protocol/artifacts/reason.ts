import { selectVerdict } from '../../run/selectors/verdict';
import type { RunState } from '../../run/state';

/** Files are the same wherever they are made, so numbers in them do not follow the language of the machine. */
export const fileLanguage = 'en';

/** Why the outcome is what it is: the sentence of panel and terminal. `undefined` before the choice. */
export function reasonOf(state: RunState): string | undefined {
  const verdict = selectVerdict(state, fileLanguage);
  return verdict === undefined
    ? undefined
    : [verdict.headline, verdict.paragraph].filter((text) => text !== '').join(' ');
}
