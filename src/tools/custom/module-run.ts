import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { CustomModule, CustomToolParts } from './custom-parts';
import { findPython } from './find-python';
import { javascriptRunner } from './javascript-runner';
import { pythonRunner } from './python-runner';
import type { OneRun } from './run-once';
import { runOnce } from './run-once';

/** What a runner says at last. */
export type RunnerAnswer =
  | { readonly kind: 'described'; readonly description: string; readonly inputSchema: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string };

/** Whoever wrote the team file is the one who can help. */
const pathHint = 'Correct the path in the team file.';

type Limits = Pick<OneRun, 'hosts' | 'timeoutMs' | 'mayRunUnconfined'>;

/**
 * A function in a file of the user. The file runs in the place where the agent sees it; an agent that has changed it in
 * its own copy does not get it run, because what it is given beside the agent's arguments is not for the agent.
 */
export class ModuleRun {
  readonly #module: CustomModule;
  readonly #parts: CustomToolParts;
  readonly #file: string;
  #hash: string | undefined;

  constructor(module: CustomModule, parts: CustomToolParts) {
    this.#module = module;
    this.#parts = parts;
    this.#file = resolve(parts.projectFolder, module.path);
  }

  async describe(limits: Limits, signal: AbortSignal): Promise<RunnerAnswer> {
    return this.#ask(undefined, limits, signal);
  }

  async call(
    input: Readonly<Record<string, unknown>>,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<RunnerAnswer> {
    return this.#ask(input, limits, signal);
  }

  async #ask(
    input: Readonly<Record<string, unknown>> | undefined,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<RunnerAnswer> {
    const isInView = await this.#checkUnchanged(signal);
    const mark = `result ${randomUUID()} `;
    const program = await this.#program(signal);
    const { output, errors, exitCode } = await runOnce(
      this.#parts.workspace,
      {
        ...{ ...limits, ...program },
        named: isInView ? [] : [dirname(this.#file)],
        cwd: undefined,
        input: JSON.stringify({
          ...{ file: this.#file, function: this.#module.function, mark },
          ...(input === undefined ? {} : { arguments: input }),
        }),
      },
      signal,
    );
    const line = output.split('\n').findLast((each) => each.startsWith(mark));
    if (line === undefined) {
      const end = exitCode === null ? 'was killed' : `ended with exit code ${exitCode}`;
      throw new MassGenError('tool/failed', `It ${end} without a result.${lastWords(errors)}`);
    }
    return toAnswer(line.slice(mark.length));
  }

  async #program(signal: AbortSignal): Promise<Pick<OneRun, 'argv' | 'environment' | 'readable'>> {
    if (!this.#file.endsWith('.py')) {
      return {
        argv: [process.execPath, '--input-type=module', '-e', javascriptRunner],
        environment: { ELECTRON_RUN_AS_NODE: '1' },
        readable: [],
      };
    }
    const { executable, folders } = await findPython(signal);
    const isSystem = (path: string): boolean => /^\/(usr|opt|bin|lib)(\/|$)/.test(path);
    return {
      argv: [executable, '-X', 'utf8', '-c', pythonRunner],
      environment: {},
      readable: folders.filter((path) => !isSystem(path)),
    };
  }

  /** Answers whether the file is in the agent's view. Throws `tool/failed` when it is another than at first. */
  async #checkUnchanged(signal: AbortSignal): Promise<boolean> {
    const inView = await this.#bytesInView(signal);
    const bytes = await this.#bytesOfUser();
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#hash ??= hash;
    const isChanged =
      this.#hash !== hash || (inView !== undefined && !Buffer.from(inView).equals(bytes));
    if (isChanged) {
      throw new MassGenError(
        'tool/failed',
        `${this.#module.path} was changed since the run began.`,
        {
          hint: 'This tool runs only as the user has it. Go on without it.',
        },
      );
    }
    return inView !== undefined;
  }

  async #bytesInView(signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await this.#parts.workspace.readFile(this.#file, signal);
    } catch (error) {
      if (isMassGenError(error, 'workspace/path-escape')) {
        return undefined;
      }
      if (isMassGenError(error, 'workspace/not-found')) {
        throw new MassGenError('tool/failed', error.message, { cause: error, hint: pathHint });
      }
      throw error;
    }
  }

  async #bytesOfUser(): Promise<Buffer> {
    try {
      return await readFile(this.#file);
    } catch (error) {
      throw new MassGenError('tool/failed', `${this.#module.path} cannot be read.`, {
        cause: error,
        hint: pathHint,
      });
    }
  }
}

/** The end of what a program wrote beside its result. */
export function lastWords(errors: string): string {
  const text = errors.trim();
  return text === '' ? '' : ` It said: ${text.slice(-1000)}`;
}

function toAnswer(json: string): RunnerAnswer {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new MassGenError('tool/failed', 'Its result is longer than can be taken.', {
      cause: error,
      hint: 'Ask for less.',
    });
  }
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const error: unknown = fields.get('error');
  const text: unknown = fields.get('text');
  if (typeof error === 'string') {
    return { kind: 'error', message: error };
  }
  if (typeof text === 'string') {
    return { kind: 'text', text };
  }
  const description: unknown = fields.get('description');
  return {
    kind: 'described',
    description: typeof description === 'string' ? description : '',
    inputSchema: fields.get('inputSchema'),
  };
}
