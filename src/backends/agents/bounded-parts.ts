// How much one prompt of a program may show. All of it is kept with the run, and a program writes as fast as the machine goes.
import { clip } from '../../base/text';
import { MassGenError } from '../../core/errors';
import type { SessionPart } from './agent-session';

/** UTF-16 units of text and of thoughts together; longer than any model writes. */
const longestText = 16 * 1024 * 1024;
const mostTools = 5_000;
const mostNotices = 50;
const longestName = 200;
const longestNotice = 2_000;

export class BoundedParts {
  readonly #title: string;
  #text = 0;
  #tools = 0;
  #notices = 0;

  /** `title`: of the program. */
  constructor(title: string) {
    this.#title = title;
  }

  /** What is left of the part; throws `backend/bad-response` for text without end. */
  take(part: SessionPart): readonly SessionPart[] {
    switch (part.type) {
      case 'text-delta':
      case 'thinking-delta':
        this.#text += part.text.length;
        if (this.#text > longestText) {
          const words = `${this.#title} writes without end; its turn was stopped.`;
          throw new MassGenError('backend/bad-response', words, { retryable: true });
        }
        return [part];
      case 'hosted-tool':
        return this.#tool(part);
      case 'notice':
        this.#notices += 1;
        return this.#notices > mostNotices
          ? []
          : [{ ...part, message: clip(part.message, longestNotice) }];
      default:
        return [part];
    }
  }

  #tool(part: Extract<SessionPart, { type: 'hosted-tool' }>): readonly SessionPart[] {
    this.#tools += 1;
    if (this.#tools === mostTools + 1) {
      const message = `${this.#title} uses so many tools in one turn that no more of them are shown.`;
      return [{ type: 'notice', code: 'program-tools', message }];
    }
    const { id, tool } = part;
    return this.#tools > mostTools
      ? []
      : [{ ...part, id: clip(id, longestName), tool: clip(tool, longestName) }];
  }
}
