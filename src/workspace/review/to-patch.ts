import type { ReviewParts } from './guarded-write';
import type { ReviewSubject } from '../../core/ports/review';
export function toPatch(_parts: ReviewParts, _subject: ReviewSubject): Uint8Array {
  return new Uint8Array();
}
