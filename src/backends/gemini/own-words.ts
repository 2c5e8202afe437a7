import { asText } from '../wire/json-reading';
import type { WirePart } from './wire-body';

/**
 * Gathers what a model wrote for the next request to it: parts with a signature as they came, pieces of text joined,
 * thoughts left out.
 */
export class OwnWords {
  readonly #parts: WirePart[] = [];
  /** Pieces of the text that the last part is made of. */
  #pieces: string[] = [];

  add(part: WirePart): void {
    const text = part['text'];
    const isSigned = asText(part['thoughtSignature']) !== '';
    if (typeof text !== 'string' || isSigned) {
      this.#close();
      this.#parts.push(part);
    } else if (part['thought'] !== true && text !== '') {
      this.#pieces.push(text);
    }
  }

  get parts(): readonly WirePart[] {
    this.#close();
    return this.#parts;
  }

  #close(): void {
    if (this.#pieces.length > 0) {
      this.#parts.push({ text: this.#pieces.join('') });
      this.#pieces = [];
    }
  }
}
