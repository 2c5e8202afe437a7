// Somebody at a terminal, for what the command line asks: reads what is on the screen and presses keys.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { World } from '../../src/cli/world';

export const keys = {
  enter: '\r',
  space: ' ',
  down: '\u001B[B',
  up: '\u001B[A',
  interrupt: '\u0003',
  endOfInput: '\u0004',
  eraseLine: '\u0015',
} as const;

export class Person {
  readonly #stream = new PassThrough();
  #screen = '';
  #seen = 0;
  #waiting: (() => void)[] = [];

  /** Everything that was shown so far, without colors and moves of the cursor. */
  get screen(): string {
    return stripVTControlCharacters(this.#screen);
  }

  /** What was sent to the terminal, as it is. */
  get sent(): string {
    return this.#screen;
  }

  readonly output: World['output'] = {
    write: (text) => {
      this.#screen += text;
      this.#waiting.forEach((look) => look());
    },
    hasColor: false,
    width: 100,
  };

  readonly input: World['input'] = {
    // The library reads it like any stream; what makes it a terminal is not used.
    stream: this.#stream as unknown as NodeJS.ReadStream,
    isInteractive: true,
  };

  /** Waits until the words have come up since the last answer, then types. */
  async answer(words: string, ...typed: readonly string[]): Promise<void> {
    await this.reads(words);
    this.#seen = this.screen.length;
    this.#stream.write(typed.join(''));
  }

  /** Waits until the words have come up since the last answer. */
  async reads(words: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.screen.slice(this.#seen).includes(words)) {
          this.#waiting = this.#waiting.filter((each) => each !== look);
          resolve();
        }
      };
      this.#waiting.push(look);
      look();
    });
  }

  hangUp(): void {
    this.#stream.end();
  }
}

export interface Desk {
  readonly person: Person;
  readonly world: World;
  readonly notes: () => string;
  remove(): void;
}

/** A person with a home and a project of his own, both empty. */
export function atDesk(
  environment: World['environment'] = {},
  { installDir = process.cwd(), isInteractive = true } = {},
): Desk {
  const root = mkdtempSync(join(tmpdir(), 'massgen-desk-'));
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(home);
  mkdirSync(cwd);
  const person = new Person();
  let notes = '';
  return {
    person,
    world: {
      ...{ args: [], cwd, home, environment, platform: process.platform, installDir },
      version: '0.0.0',
      output: person.output,
      notes: {
        write: (text) => {
          notes += text;
        },
        ...{ hasColor: false, width: 100 },
      },
      input: { ...person.input, isInteractive },
      interrupted: new AbortController().signal,
    },
    notes: () => notes,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
