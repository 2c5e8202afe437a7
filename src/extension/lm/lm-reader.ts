import * as vscode from 'vscode';
import { type AnswerReader, type UsagePart, toUsagePart } from '../../backends/wire/answer-reader';
import { MassGenError } from '../../core/errors';
import type { BackendPart } from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';

/** Comes after all parts of the editor: how many tokens they and the request are. */
export class Counted {
  readonly usage: Usage;

  constructor(usage: Usage) {
    this.usage = usage;
  }
}

/** Reads the parts of the editor. What it does not know is passed over, as the API asks for. */
export class LmReader implements AnswerReader {
  /** Nothing in the stream says that an answer is whole. */
  readonly isFinished = false;
  #hasOutput = false;
  #toolCalls = 0;
  #usage: Usage | undefined;

  read(part: unknown): readonly BackendPart[] {
    this.#hasOutput ||= outputOf(part).trim() !== '';
    if (part instanceof vscode.LanguageModelTextPart) {
      return [{ type: 'text-delta', text: part.value }];
    }
    if (part instanceof vscode.LanguageModelToolCallPart) {
      this.#toolCalls++;
      const { callId: id, name } = part;
      return [{ type: 'tool-call', call: { id, name, argumentsJson: argumentsOf(part) } }];
    }
    if (part instanceof Counted) {
      this.#usage = part.usage;
      return [];
    }
    const thinking = thinkingOf(part);
    return thinking === '' ? [] : [{ type: 'thinking-delta', text: thinking }];
  }

  usage(): UsagePart | undefined {
    return toUsagePart(this.#usage, true);
  }

  finish(): readonly BackendPart[] {
    if (!this.#hasOutput) {
      // Nothing tells a model that has nothing to say from a stream that was cut off, so it is asked again.
      throw new MassGenError('backend/bad-response', 'The model gave an empty answer.', {
        retryable: true,
      });
    }
    const usage = this.usage();
    return [
      ...(usage === undefined ? [] : [usage]),
      { type: 'end', reason: this.#toolCalls > 0 ? 'tool-calls' : 'stop' },
    ];
  }
}

/** What of a part is output of the model, for counting. */
export function outputOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) {
    return part.value;
  }
  return part instanceof vscode.LanguageModelToolCallPart ? argumentsOf(part) : thinkingOf(part);
}

function argumentsOf({ input }: vscode.LanguageModelToolCallPart): string {
  return JSON.stringify(input);
}

/** The class came later than the oldest editor that this runs in, and than its types. */
function thinkingOf(part: unknown): string {
  const type: unknown = Reflect.get(vscode, 'LanguageModelThinkingPart');
  if (typeof type !== 'function' || !(part instanceof type)) {
    return '';
  }
  const value: unknown = Reflect.get(part, 'value');
  return [value]
    .flat()
    .filter((each) => typeof each === 'string')
    .join('');
}
