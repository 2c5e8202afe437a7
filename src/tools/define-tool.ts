import { isCancelled, isMassGenError } from '../core/errors';
import type { Tool, ToolAccess, ToolContext, ToolEffect, ToolResult } from '../core/ports/tool';
import type { InputFields, InputOf } from './tool-input';
import { parseInput, textOf, toSchema } from './tool-input';

interface ToolDefinition<F extends InputFields> {
  readonly name: string;
  readonly description: string;
  readonly access: ToolAccess;
  readonly effect: ToolEffect;
  readonly fields: F;
  readonly subjectOf: (input: unknown) => string;
  readonly gives?: Tool['gives'];
  /** Text for the model, or more than text. Expected failures are thrown as errors of the product's own kind. */
  readonly run: (
    input: InputOf<F>,
    context: ToolContext,
    signal: AbortSignal,
  ) => Promise<string | Omit<ToolResult, 'isError'>>;
}

/** Fields that hold a path in every tool that has them. */
const pathFields = ['path', 'cwd'];

/** Makes a tool whose input is checked and whose expected failures become results that a model can act on. */
export function defineTool<F extends InputFields>(definition: ToolDefinition<F>): Tool {
  const { name, description, access, effect, fields, subjectOf } = definition;
  return {
    name,
    description,
    access,
    effect,
    ...(definition.gives === undefined ? {} : { gives: definition.gives }),
    inputSchema: toSchema(fields),
    subjectOf,
    pathsOf: (input) =>
      pathFields.map((field) => textOf(input, field)).filter((path) => path !== ''),
    async run(input, context, signal): Promise<ToolResult> {
      signal.throwIfAborted();
      try {
        const given = await definition.run(parseInput(fields, input), context, signal);
        return { ...(typeof given === 'string' ? { text: given } : given), isError: false };
      } catch (error) {
        if (isCancelled(error) || signal.aborted || !isMassGenError(error)) {
          throw error;
        }
        const hint = error.hint === undefined ? '' : ` ${error.hint}`;
        return { text: `${error.message}${hint}`, isError: true };
      }
    },
  };
}
