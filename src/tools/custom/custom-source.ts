import { MassGenError, isCancelled, isMassGenError } from '../../core/errors';
import type { JsonSchema } from '../../core/ports/model-backend';
import type { Tool, ToolContext, ToolResult, ToolSource } from '../../core/ports/tool';
import { Expander } from '../mcp/expand';
import { toolNames } from '../mcp/names';
import type { CustomTool, CustomToolParts } from './custom-parts';
import { ModuleRun, lastWords } from './module-run';
import { runOnce } from './run-once';

const describeMs = 30_000;
const defaultCallMs = 120_000;
const deepestPreset = 20;

/** Filled in where a function asks for it, as MassGen does. */
const folderArgument = 'agent_cwd';

/**
 * Functions and programs of the user as tools of one agent. Each call is a program of its own, confined where that is
 * possible; nothing of them is ever loaded into this process. A tool that cannot be used is told once and left out.
 * `undefined`: there are none.
 */
export function createCustomTools(
  configs: readonly CustomTool[],
  parts: CustomToolParts,
): ToolSource | undefined {
  if (configs.length === 0) {
    return undefined;
  }
  const opened = new Map<CustomTool, Tool | undefined>();
  const names = toolNames('custom_tool__', [...new Set(configs.map(({ name }) => name))]);
  return {
    async tools(context, signal): Promise<readonly Tool[]> {
      for (const config of configs.filter((each) => !opened.has(each))) {
        opened.set(config, await openTool(config, { ...parts, names, context }, signal));
      }
      return [...opened.values()].filter((tool) => tool !== undefined);
    },
    // Each call ends with its turn, so nothing of them is left.
    close: async () => undefined,
  };
}

interface OpeningParts extends CustomToolParts {
  /** Under which models see tools. */
  readonly names: ReadonlyMap<string, string>;
  readonly context: ToolContext;
}

async function openTool(
  config: CustomTool,
  parts: OpeningParts,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  const server = `custom tool ${config.name}`;
  const changed = { type: 'tool-server-changed', server } as const;
  try {
    const tool = await toTool(config, parts, signal);
    const tools = [{ name: tool.name, effect: tool.effect }];
    parts.onChange({ ...changed, status: 'ready', tools });
    return tool;
  } catch (error) {
    if (signal.aborted || isCancelled(error) || !isMassGenError(error)) {
      throw error;
    }
    const hint = error.hint === undefined ? '' : ` ${error.hint}`;
    parts.onChange({ ...changed, status: 'failed', message: `${error.message}${hint}` });
    return undefined;
  }
}

async function toTool(config: CustomTool, parts: OpeningParts, signal: AbortSignal): Promise<Tool> {
  const { run, presetArguments } = config;
  const name = parts.names.get(config.name) ?? config.name;
  const module = run.kind === 'module' ? new ModuleRun(run, parts) : undefined;
  const known = module === undefined ? undefined : await described(config, module, parts, signal);
  const schema = config.inputSchema ?? known?.inputSchema ?? openSchema;
  const folder = parts.workspace.roots[0]?.shownPath ?? '';
  const presets = { ...folderFor(schema, folder), ...presetArguments };
  const call = async (
    input: unknown,
    context: ToolContext,
    stop: AbortSignal,
  ): Promise<ToolResult> => {
    const given = { ...membersOf(input), ...(await filled(presets, parts)) };
    return module === undefined
      ? callCommand(config, given, { parts, context }, stop)
      : callModule(config, module, { given, context }, stop);
  };
  return {
    ...{ name, inputSchema: without(schema, Object.keys(presets)), access: 'execute' },
    description: config.description ?? known?.description ?? `A tool of the user: ${config.name}.`,
    effect: 'unknown',
    subjectOf: firstText,
    run: async (input, context, stop) => {
      const { text, isError } = await allowed(config, input, { context, call }, stop);
      return { text: parts.redact(text), isError };
    },
  };
}

/** A person decides as about a command; whatever goes wrong becomes words for the model. */
async function allowed(
  { name }: CustomTool,
  input: unknown,
  {
    context,
    call,
  }: {
    readonly context: ToolContext;
    readonly call: (input: unknown, context: ToolContext, stop: AbortSignal) => Promise<ToolResult>;
  },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { workspace } = context;
  const question = {
    command: `${name} ${JSON.stringify(input)}`,
    cwd: workspace.roots[0]?.shownPath ?? '',
    isConfined: workspace.unconfinedReason === null,
    isTool: true,
  } as const;
  try {
    return (await context.approveCommand(question, signal))
      ? await call(input, context, signal)
      : { text: 'The tool was not run: it was not allowed. Go on without it.', isError: true };
  } catch (error) {
    if (signal.aborted || isCancelled(error) || !isMassGenError(error)) {
      throw error;
    }
    const hint = error.hint === undefined ? '' : ` ${error.hint}`;
    return { text: `${error.message}${hint}`, isError: true };
  }
}

/** Reads signature and docstring; nothing is run for it where the team file says it all. */
async function described(
  { description, inputSchema, name }: CustomTool,
  module: ModuleRun,
  { context, workspace }: OpeningParts,
  signal: AbortSignal,
): Promise<{ readonly description?: string; readonly inputSchema?: JsonSchema }> {
  if (description !== undefined && inputSchema !== undefined) {
    return {};
  }
  const cwd = workspace.roots[0]?.shownPath ?? '';
  const command = `${name} (read what it is)`;
  const question = { command, cwd, isConfined: false, isTool: true } as const;
  const limits = {
    hosts: [],
    timeoutMs: describeMs,
    mayRunUnconfined: async (stop: AbortSignal) => context.approveCommand(question, stop),
  };
  const answer = await module.describe(limits, signal);
  if (answer.kind === 'error') {
    throw new MassGenError('tool/failed', `${name} cannot be used: ${answer.message}`);
  }
  if (answer.kind !== 'described') {
    return {};
  }
  const schema = membersOf(answer.inputSchema);
  return {
    ...(answer.description === '' ? {} : { description: answer.description }),
    ...(schema['type'] === 'object' ? { inputSchema: schema } : {}),
  };
}

async function callModule(
  config: CustomTool,
  module: ModuleRun,
  call: { readonly given: Readonly<Record<string, unknown>>; readonly context: ToolContext },
  signal: AbortSignal,
): Promise<ToolResult> {
  const answer = await module.call(call.given, limitsOf(call.context), signal);
  switch (answer.kind) {
    case 'error':
      return { text: answer.message, isError: true };
    case 'text':
      return { text: answer.text === '' ? '(no result)' : answer.text, isError: false };
    case 'described':
      return { text: `${config.name} gave no result.`, isError: true };
  }
}

/** A program that reads the input as JSON and prints the result. */
async function callCommand(
  { run }: CustomTool,
  given: Readonly<Record<string, unknown>>,
  { parts, context }: { readonly parts: CustomToolParts; readonly context: ToolContext },
  signal: AbortSignal,
): Promise<ToolResult> {
  const argv = run.kind === 'command' ? run.command : ([''] as const);
  const { output, errors, exitCode } = await runOnce(
    parts.workspace,
    {
      ...{ ...limitsOf(context), argv, environment: {}, readable: [], named: [], cwd: undefined },
      input: `${JSON.stringify(given)}\n`,
    },
    signal,
  );
  const text = output.trim() === '' ? '(no result)' : output.trim();
  if (exitCode === 0) {
    return { text, isError: false };
  }
  const end = exitCode === null ? 'It was killed.' : `It ended with exit code ${exitCode}.`;
  return { text: `${text}\n[${end}${lastWords(errors)}]`, isError: true };
}

/** A person has been asked about the call by then. */
function limitsOf({ commandTimeoutMs }: ToolContext): {
  readonly hosts: 'any-public';
  readonly timeoutMs: number;
  readonly mayRunUnconfined: () => Promise<boolean>;
} {
  return {
    hosts: 'any-public',
    timeoutMs: commandTimeoutMs ?? defaultCallMs,
    mayRunUnconfined: async () => true,
  };
}

const openSchema: JsonSchema = { type: 'object', properties: {}, additionalProperties: true };

/** Throws `config/missing-secret`. Names of variables are told before the team file is trusted. */
async function filled(
  presets: Readonly<Record<string, unknown>>,
  { secrets, userHome, workspace }: CustomToolParts,
): Promise<Readonly<Record<string, unknown>>> {
  const roots = workspace.roots;
  const project = roots.find(({ kind }) => kind === 'context') ?? roots[0];
  const workspaceFolder = project?.shownPath ?? '/';
  const cwd = roots.find(({ kind }) => kind === 'private')?.shownPath ?? workspaceFolder;
  const places = { workspaceFolder, userHome, cwd };
  const expander = new Expander(secrets, places);
  const fill = async (value: unknown, depth: number): Promise<unknown> => {
    if (typeof value === 'string') {
      return expander.variables(value);
    }
    if (typeof value !== 'object' || value === null || depth > deepestPreset) {
      return value;
    }
    if (Array.isArray(value)) {
      return Promise.all(value.map(async (each: unknown) => fill(each, depth + 1)));
    }
    const members = Object.entries(value).map(
      async ([key, each]: [string, unknown]) => [key, await fill(each, depth + 1)] as const,
    );
    return Object.fromEntries(await Promise.all(members));
  };
  return membersOf(await fill(presets, 0));
}

function folderFor(schema: JsonSchema, folder: string): Readonly<Record<string, unknown>> {
  return Object.hasOwn(membersOf(schema['properties']), folderArgument)
    ? { [folderArgument]: folder }
    : {};
}

/** The schema without arguments that are set already. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { required } = schema;
  const isLeft = (name: unknown): boolean => !names.some((one) => one === name);
  const properties = Object.entries(membersOf(schema['properties'])).filter(([name]) =>
    isLeft(name),
  );
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(Array.isArray(required) ? { required: required.filter(isLeft) } : {}),
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function firstText(input: unknown): string {
  const text = Object.values(membersOf(input)).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text.slice(0, 200) : '';
}
