import { createInterface } from 'node:readline';
import { onAbort } from '../../base/abort';
import { toDisposable } from '../../base/disposable';
import { restoring } from '../live-view/restoring';
import type { Keyboard } from '../terminal';

/** What a person has entered. */
export type Typed =
  | { readonly kind: 'text'; readonly text: string }
  /** Ctrl+C; `wasEmpty`: nothing had been written. */
  | { readonly kind: 'interrupt'; readonly wasEmpty: boolean }
  /** Ctrl+D, or the terminal is gone. */
  | { readonly kind: 'end' };

export interface PromptParts {
  readonly keyboard: Keyboard;
  readonly screen: NodeJS.WriteStream;
  readonly complete: (line: string) => [string[], string];
}

interface Asked {
  readonly prompt: string;
  /** Several lines can be written, and what is entered is remembered. */
  readonly isQuestion: boolean;
}

const pasteOn = '\u001B[?2004h';
const pasteOff = '\u001B[?2004l';
const continued = '… ';
const quotes = '"""';
const remembered = 500;

/** Reads lines with history and editing; a pasted text stays together, and three quotes begin several lines. */
export class Prompt {
  readonly #parts: PromptParts;
  /** Newest first, as `readline` has it. */
  #history: readonly string[];

  constructor(parts: PromptParts, history: readonly string[] = []) {
    this.#parts = parts;
    this.#history = history;
  }

  get history(): readonly string[] {
    return this.#history;
  }

  /** A question for the team, or a command. Settles with `end` when the signal aborts. */
  async ask(prompt: string, signal: AbortSignal): Promise<Typed> {
    const typed = await this.#read({ prompt, isQuestion: true }, signal);
    if (typed.kind === 'text' && typed.text.trim() !== '') {
      const older = this.#history.filter((text) => text !== typed.text);
      this.#history = [typed.text, ...older].slice(0, remembered);
    }
    return typed;
  }

  /** One line that is not remembered, e.g. `y`; `undefined` when it was not given. */
  async choose(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const typed = await this.#read({ prompt, isQuestion: false }, signal);
    return typed.kind === 'text' ? typed.text.trim() : undefined;
  }

  #read({ prompt, isQuestion }: Asked, signal: AbortSignal): Promise<Typed> {
    const { keyboard, screen, complete } = this.#parts;
    const breaks = new BreakWatch(keyboard.stream);
    const line = createInterface({
      ...{ input: keyboard.stream, output: screen, terminal: true, prompt },
      ...{ historySize: isQuestion ? remembered : 0, escapeCodeTimeout: 50 },
      ...(isQuestion ? { history: [...this.#history], completer: complete } : {}),
    });
    screen.write(pasteOn);
    const given = restoring(() => {
      breaks.dispose();
      line.close();
      screen.write(pasteOff);
    });
    let stopping = toDisposable(() => undefined);
    return new Promise<Typed>((resolve) => {
      const written: string[] = [];
      const end = (typed: Typed): void => {
        // Closing tells of an end, too; what came first counts.
        resolve(typed);
        given.dispose();
      };
      line.on('line', (text) => {
        if (!isQuestion && breaks.isPasting) {
          // A line break that is pasted answers nothing: the person presses Enter, or does not.
          line.prompt();
          line.write(text);
          return;
        }
        written.push(text);
        const isOpen = isQuestion && (breaks.isWithin || isQuoteOpen(written));
        if (isOpen) {
          line.setPrompt(continued);
          line.prompt();
        } else {
          end({ kind: 'text', text: unquoted(written.join('\n')) });
        }
      });
      line.on('SIGINT', () => {
        const wasEmpty = written.length === 0 && line.line === '';
        screen.write('\n');
        end({ kind: 'interrupt', wasEmpty });
      });
      line.on('close', () => {
        const isLost = written.length > 0 && !signal.aborted;
        end(isLost ? { kind: 'interrupt', wasEmpty: false } : { kind: 'end' });
      });
      line.prompt();
      stopping = onAbort(signal, () => line.close());
    }).finally(() => stopping.dispose());
  }
}

/** Three quotes at the beginning, and none at the end yet. */
function isQuoteOpen(lines: readonly string[]): boolean {
  const text = lines.join('\n').trim();
  return text.startsWith(quotes) && (text.length < 6 || !text.endsWith(quotes));
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const isQuoted = trimmed.length >= 6 && trimmed.startsWith(quotes) && trimmed.endsWith(quotes);
  return isQuoted ? trimmed.slice(3, -3).trim() : text;
}

/**
 * Tells a line that ends within the text from the one that is entered: within a paste, and with Ctrl+J, the text goes on.
 * Made before the reader of lines, so that it knows each key first.
 */
class BreakWatch {
  isWithin = false;
  isPasting = false;
  readonly #stream: Keyboard['stream'];

  constructor(stream: Keyboard['stream']) {
    this.#stream = stream;
    stream.on('keypress', this.#note);
  }

  dispose(): void {
    this.#stream.off('keypress', this.#note);
  }

  readonly #note = (_text: string | undefined, key: { readonly name?: string }): void => {
    if (key.name === 'paste-start' || key.name === 'paste-end') {
      this.isPasting = key.name === 'paste-start';
    }
    this.isWithin = this.isPasting || key.name === 'enter';
  };
}
