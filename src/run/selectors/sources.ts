import type { Citation } from '../facts';
import type { RunState } from '../state';
import { revealOnOneLine } from './visible-text';

/** A page that a model names for what it says. Nobody has looked at it. */
export interface Source {
  /** `http` or `https`. */
  readonly url: string;
  /** Its title, or its path where it has none; untrusted. */
  readonly name: string;
  readonly host: string;
}

/** In their order; what is no address of a web page is left out. */
export function selectSources(citations: readonly Citation[] = []): readonly Source[] {
  return citations.flatMap(({ url, title }) => {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      return [];
    }
    const { host, pathname } = new URL(url);
    return [{ url, host, name: revealOnOneLine(title.trim() === '' ? pathname : title) }];
  });
}

/** What stands below the final answer as lines of text: that it was cut, and its sources. */
export function answerNotes(answer: NonNullable<RunState['finalAnswer']>): readonly string[] {
  const sources = selectSources(answer.citations).map(
    ({ name, url }, index) => `  ${index + 1}. ${name}: ${revealOnOneLine(url)}`,
  );
  return [
    ...(answer.isCut === true ? [cutSentence] : []),
    ...(sources.length === 0 ? [] : ['Sources, as the model names them', ...sources]),
  ];
}

export const cutSentence = 'It was cut off at the length limit of the model.';
