// The one place that speaks to the library for questions; its answers are typed, and giving up is an error.
import { Writable } from 'node:stream';
import * as prompts from '@clack/prompts';
import { toDisposable } from '../../base/disposable';
import { linkAbort } from '../../base/abort';
import { wrap } from '../table';
import type { Terminal } from '../terminal';
import type { World } from '../world';

/** The user gave up, or the input ended. What was not saved by then stays unsaved. */
export class Cancelled extends Error {
  constructor() {
    super('The questions were left.');
    this.name = 'Cancelled';
  }
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** A sentence on what is wrong with an answer; `undefined` when it will do. */
export type AnswerCheck = (answer: string) => string | undefined;

interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

// Ctrl+D ends an input like Ctrl+C; without it the library would wait for ever.
prompts.updateSettings({ aliases: { '\u0004': 'cancel' } });

/** Asks a person. Every question rejects with `Cancelled` when the user leaves it, the input ends or the command is stopped. */
export class Asker {
  readonly #world: Pick<World, 'input' | 'output' | 'interrupted'>;
  readonly #output: Writable;

  constructor(world: Pick<World, 'input' | 'output' | 'interrupted'>) {
    this.#world = world;
    this.#output = new Screen(world.output);
  }

  begin(title: string): void {
    prompts.intro(title, { output: this.#output });
  }

  end(sentence: string): void {
    const indented = this.#wrapped([sentence]).join('\n   ');
    prompts.outro(indented, { output: this.#output });
  }

  leave(sentence: string): void {
    prompts.cancel(sentence, { output: this.#output });
  }

  say(...lines: readonly string[]): void {
    prompts.log.message([...this.#wrapped(lines)], { output: this.#output });
  }

  warn(...lines: readonly string[]): void {
    prompts.log.warn(this.#wrapped(lines).join('\n'), { output: this.#output });
  }

  /** A text as it is, line by line, below a title; never wrapped, so that it can be copied. */
  show(title: string, text: string): void {
    prompts.log.step(title, { output: this.#output });
    this.#output.write(`${text.replace(/\n$/, '')}\n`);
  }

  async choose<T>(question: string, choices: readonly Choice<T>[], initial = 0): Promise<T> {
    const options = toOptions(choices);
    const index = await this.#ask((streams) =>
      prompts.select({ ...streams, message: question, options, initialValue: initial }),
    );
    return valueAt(choices, index);
  }

  /** `marked`: indices of what is marked beforehand. */
  async chooseSeveral<T>(
    question: string,
    choices: readonly Choice<T>[],
    marked: readonly number[] = [],
  ): Promise<readonly T[]> {
    const options = toOptions(choices);
    const indices = await this.#ask((streams) =>
      prompts.multiselect({
        ...streams,
        message: question,
        options,
        required: false,
        initialValues: [...marked],
      }),
    );
    return indices.map((index) => valueAt(choices, index));
  }

  /** Like `choose`, with a search in labels and hints. */
  async find<T>(question: string, choices: readonly Choice<T>[]): Promise<T> {
    const options = toOptions(choices);
    const index = await this.#ask((streams) =>
      prompts.autocomplete<number>({
        ...streams,
        message: question,
        options,
        maxItems: 12,
        filter: (search, { label = '', hint = '' }) =>
          search
            .toLowerCase()
            .split(/\s+/)
            .every((word) => `${label} ${hint}`.toLowerCase().includes(word)),
        validate: (chosen) => (chosen === undefined ? 'Nothing is marked.' : undefined),
      }),
    );
    return valueAt(choices, index);
  }

  /** The answer without spaces around it. */
  async text(
    question: string,
    { initial = '', check }: { readonly initial?: string; readonly check?: AnswerCheck } = {},
  ): Promise<string> {
    const answer = await this.#ask((streams) =>
      prompts.text({
        ...streams,
        message: question,
        initialValue: initial,
        validate: (value) => check?.((value ?? '').trim()),
      }),
    );
    // The library answers with nothing at all where nothing was typed.
    return ((answer as string | undefined) ?? '').trim();
  }

  /** Shows a sign for each character, never the characters. */
  async secret(question: string, check: AnswerCheck): Promise<string> {
    const answer = await this.#ask((streams) =>
      prompts.password({
        ...streams,
        message: question,
        validate: (value) => check((value ?? '').trim()),
      }),
    );
    return ((answer as string | undefined) ?? '').trim();
  }

  async confirm(question: string, isYes: boolean): Promise<boolean> {
    return this.#ask((streams) =>
      prompts.confirm({ ...streams, message: question, initialValue: isYes }),
    );
  }

  /** Between words, beside the guide at the left. */
  #wrapped(lines: readonly string[]): readonly string[] {
    const width = Math.max(this.#world.output.width - 4, 20);
    return lines.flatMap((line) => (line.length <= width ? [line] : wrap(line, width)));
  }

  async #ask<T>(
    question: (streams: Streams) => Promise<T | typeof prompts.CANCEL_SYMBOL>,
  ): Promise<T> {
    const { input, output, interrupted } = this.#world;
    const drawAgain = (): void => void this.#output.emit('resize');
    output.screen?.on('resize', drawAgain);
    const branch = linkAbort(interrupted);
    const ended = endOf(input.stream, () => branch.abort(new Cancelled()));
    try {
      const streams = { input: input.stream, output: this.#output, signal: branch.signal };
      const answer = await question(streams);
      if (prompts.isCancel(answer)) {
        throw new Cancelled();
      }
      return answer;
    } finally {
      output.screen?.off('resize', drawAgain);
      ended.dispose();
      branch.dispose();
    }
  }
}

function endOf(stream: NodeJS.ReadStream, call: () => void): { dispose(): void } {
  if (stream.readableEnded || stream.destroyed) {
    call();
  }
  stream.once('end', call);
  stream.once('close', call);
  return toDisposable(() => {
    stream.off('end', call);
    stream.off('close', call);
  });
}

function toOptions<T>(
  choices: readonly Choice<T>[],
): { readonly value: number; readonly label: string; readonly hint?: string }[] {
  return choices.map(({ label, hint }, value) => ({
    value,
    label,
    ...(hint === undefined ? {} : { hint }),
  }));
}

function valueAt<T>(choices: readonly Choice<T>[], index: number): T {
  const choice = choices[index];
  if (choice === undefined) {
    throw new Error(`There is no choice ${index}.`);
  }
  return choice.value;
}

const usualRows = 24;

/** What the library draws on: the terminal of the command, without colors where it has none. */
class Screen extends Writable {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
  }

  get columns(): number {
    return this.#terminal.screen?.columns ?? this.#terminal.width;
  }

  /** Long lists show as many of their lines as there is room for. */
  get rows(): number {
    return this.#terminal.screen?.rows ?? usualRows;
  }

  override _write(text: string | Uint8Array, _encoding: string, done: () => void): void {
    const drawn = typeof text === 'string' ? text : new TextDecoder().decode(text);
    this.#terminal.write(this.#terminal.hasColor ? drawn : withoutColors(drawn));
    done();
  }
}

/** Colors and the like; what moves the cursor stays. */
const colors = new RegExp('\u001B\\[[0-9;]*m', 'g');

function withoutColors(text: string): string {
  return text.replace(colors, '');
}
