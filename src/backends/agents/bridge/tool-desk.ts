import { isJson } from '../../wire/json-reading';
import type { ToolCall, ToolSpec } from '../../../core/ports/model-backend';

/** What the program reads as the result of a call. */
export interface DeskAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A program that goes on calling after so many calls of one prompt is not listening. */
const mostCalls = 16;

/** UTF-16 units; nobody would read a longer answer. */
const longestArguments = 4 * 1024 * 1024;

/** The workflow tools that a program may call now, and the calls that it has made of them. */
export class ToolDesk {
  #offered: readonly ToolSpec[] = [];
  #isOpen = false;
  #calls: ToolCall[] = [];
  #count = 0;

  get offered(): readonly ToolSpec[] {
    return this.#offered;
  }

  /** A prompt begins. What was offered stays listed between prompts, but can be called only during one. */
  open(tools: readonly ToolSpec[]): void {
    this.#offered = tools;
    this.#calls = [];
    this.#isOpen = true;
  }

  /** The prompt has ended; answers its calls in order. */
  close(): readonly ToolCall[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#isOpen = false;
    return calls;
  }

  /** `argumentsJson`: an object as JSON. */
  call(name: string, argumentsJson: string): DeskAnswer {
    if (!this.#isOpen) {
      return refusal('No turn of yours is going on. Wait for the next message.');
    }
    const names = this.#offered.map((tool) => tool.name);
    if (!names.includes(name)) {
      const known = names.length === 0 ? 'None is offered now' : `Offered now: ${names.join(', ')}`;
      return refusal(`There is no tool ${name}. ${known}.`);
    }
    if (!isJson(argumentsJson) || argumentsJson.length > longestArguments) {
      return refusal('This cannot be read, or is far too long. Nothing was recorded.');
    }
    if (this.#calls.length >= mostCalls) {
      return refusal('This was not recorded. End your turn now.');
    }
    this.#count += 1;
    this.#calls.push({ id: `call${this.#count}`, name, argumentsJson });
    return { text: 'Recorded. End your turn now.', isError: false };
  }
}

function refusal(text: string): DeskAnswer {
  return { text, isError: true };
}
