import { MassGenError, isCancelled, isMassGenError } from '../../core/errors';
import type { Tool, ToolContext, ToolResult } from '../../core/ports/tool';

interface Field {
  readonly type: 'string' | 'integer';
  /** Written for the model. */
  readonly description: string;
  readonly isOptional?: boolean;
}

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Name of the field that tells people what a call is about. */
  readonly subject: string;
  readonly run: (input: EditorInput, context: ToolContext, signal: AbortSignal) => Promise<string>;
}

/** Most lines of a result. */
const mostLines = 200;

/** A tool that asks the editor about the user's open project and changes nothing. */
export function editorTool({ name, description, fields, subject, run }: Definition): Tool {
  const properties = Object.entries(fields).map(([key, { type, description: words }]) => [
    key,
    { type, description: words },
  ]);
  return {
    ...{ name, description, access: 'read', effect: 'read' },
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: Object.keys(fields).filter((key) => fields[key]?.isOptional !== true),
      additionalProperties: false,
    },
    subjectOf: (input) => new EditorInput(input).text(subject) ?? '',
    async run(input, context, signal): Promise<ToolResult> {
      signal.throwIfAborted();
      try {
        const read = new EditorInput(input);
        read.check(fields);
        return { text: await run(read, context, signal), isError: false };
      } catch (error) {
        if (signal.aborted || isCancelled(error) || !isMassGenError(error)) {
          throw error;
        }
        const hint = error.hint === undefined ? '' : ` ${error.hint}`;
        return { text: `${error.message}${hint}`, isError: true };
      }
    },
  };
}

/** What a model gave, read field by field. */
class EditorInput {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(input: unknown) {
    const isObject = typeof input === 'object' && input !== null;
    this.#values = new Map(isObject ? Object.entries(input) : []);
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  integer(name: string): number | undefined {
    const value = this.#values.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  }

  /** Throws `tool/invalid-input` with everything that is wrong. */
  check(fields: Definition['fields']): void {
    const problems = Object.entries(fields).flatMap(([name, { type, isOptional }]) => {
      const value = type === 'string' ? this.text(name) : this.integer(name);
      const isLeftOut = [undefined, null, ''].some((one) => one === this.#values.get(name));
      return value !== undefined || (isLeftOut && isOptional === true)
        ? []
        : [`${name} must be ${type === 'string' ? 'a text' : 'a whole number'}`];
    });
    if (problems.length > 0) {
      throw new MassGenError('tool/invalid-input', `Nothing was done: ${problems.join('; ')}.`);
    }
  }
}

/** Lines up to the limit, with a word about those left out. */
export function bounded(lines: readonly string[]): string {
  const more = lines.length - mostLines;
  return more <= 0
    ? lines.join('\n')
    : [...lines.slice(0, mostLines), `[… ${more} more left out]`].join('\n');
}
