import type { App } from '../app/app-contract';
import { nearest } from '../base/text';
import { UsageError } from './failure';

type Kind = App['backendKinds'][number];

/** The type of backend that was written, in capitals or with spaces or hyphens too. Throws `UsageError` when there is none. */
export function kindOf(written: string, kinds: readonly Kind[]): Kind {
  const type = written
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const found = kinds.find((kind) => kind.type === type || kind.aliases?.includes(type) === true);
  if (found === undefined) {
    const types = kinds.map((kind) => kind.type);
    const near = nearest(type, types);
    const question = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new UsageError(
      `${written} is not a type of backend.${question}`,
      `Types: ${types.join(', ')}.`,
    );
  }
  return found;
}
