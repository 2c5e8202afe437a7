import type { Tool } from '../../src/core/ports/tool';

type Input = Readonly<Record<string, unknown>>;

function textOf(input: unknown, key: string): string {
  const value = typeof input === 'object' && input !== null ? (input as Input)[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** A reader of files, as small as it can be. */
export const look: Tool = {
  name: 'look',
  description: 'Shows a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  access: 'read',
  effect: 'read',
  subjectOf: (input) => textOf(input, 'path'),
  pathsOf: (input) => [textOf(input, 'path')],
  run: async (input, { workspace }, signal) => {
    const bytes = await workspace.readFile(textOf(input, 'path'), signal);
    return { text: new TextDecoder().decode(bytes), isError: false };
  },
};

export const put: Tool = {
  name: 'put',
  description: 'Writes a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, text: { type: 'string' } },
  },
  access: 'write',
  effect: 'workspace',
  subjectOf: (input) => textOf(input, 'path'),
  pathsOf: (input) => [textOf(input, 'path')],
  run: async (input, { workspace }, signal) => {
    const bytes = new TextEncoder().encode(textOf(input, 'text'));
    await workspace.writeFile(textOf(input, 'path'), bytes, signal);
    return { text: 'Written.', isError: false };
  },
};

export const shell: Tool = {
  name: 'shell',
  description: 'Runs a command.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
  access: 'execute',
  effect: 'unknown',
  subjectOf: (input) => textOf(input, 'command'),
  run: async (input, context, signal) => {
    const { workspace } = context;
    const request = { command: textOf(input, 'command'), cwd: undefined, timeoutMs: 1000 };
    const shown = workspace.describeCommand(request);
    if (!(await context.approveCommand({ ...shown, isConfined: false }, signal))) {
      return { text: 'The user did not allow this command.', isError: true };
    }
    const result = await workspace.runCommand(request, signal);
    return { text: result.output, isError: result.exitCode !== 0 };
  },
};

const effectOf = {
  read: 'read',
  write: 'workspace',
  execute: 'unknown',
  network: 'external',
} as const;

/** A tool that does what a test says; one with access to the network has an effect outside. */
export function toolOf(name: string, access: Tool['access'], run: Tool['run']): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: 'object', properties: {} },
    access,
    effect: effectOf[access],
    subjectOf: () => name,
    run,
  };
}
