// What all tools of a server share: how they are allowed, asked for and answered.
import { clip } from '../../base/text';
import { isCancelled, isMassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { Tool, ToolContext, ToolResult } from '../../core/ports/tool';
import type { Listed } from './list';

const subjectChars = 200;

/** The server that a tool belongs to, whether or not it runs at the moment. */
export interface ToolHost {
  readonly isConfined: boolean;
  /** It is reached over the network: a call leaves this machine, or may do. */
  readonly isRemote: boolean;
  readonly redact: (text: string) => string;
  /** Throws `tool/*` with a sentence for the model, and `cancelled/*`. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Calls a tool, if it still is as it was listed. Throws as `request` does. */
  call(
    tool: Listed,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** A person has let a tool work that is not as it was. */
  acceptTool(tool: Listed): Promise<void>;
}

export function accessOf({ transport }: Pick<ToolServerConfig, 'transport'>): Tool['access'] {
  // A program works in the agent's files, which are looked at again after each call.
  return transport.type === 'stdio' ? 'execute' : 'network';
}

export interface CallToAllow {
  readonly name: string;
  readonly input: unknown;
  readonly isConfined: boolean;
  readonly isRemote: boolean;
  /** It is not as it was when somebody last let it work. */
  readonly isChanged: boolean;
}

/** Asks about exactly the call that would be made. */
export async function mayRun(
  { name, input, isConfined, isRemote, isChanged }: CallToAllow,
  context: ToolContext,
  signal: AbortSignal,
): Promise<boolean> {
  const cwd = context.workspace.roots[0]?.shownPath ?? '';
  const command = `${name} ${JSON.stringify(input ?? {})}`;
  const kind = isRemote ? ({ isRequest: true } as const) : ({ isTool: true } as const);
  const change = isChanged ? { isChanged } : {};
  return context.approveCommand({ command, cwd, isConfined, ...kind, ...change }, signal);
}

export function notAllowed(name: string): ToolResult {
  const text = `${name} was not called: it was not allowed. Go on without it, or tell in your answer what could not be done.`;
  return { text, isError: true };
}

/** Expected failures as a result. */
export async function answered(call: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call();
  } catch (error) {
    if (isCancelled(error) || !isMassGenError(error)) {
      throw error;
    }
    return { text: [error.message, error.hint ?? ''].join(' ').trim(), isError: true };
  }
}

/** All of the input in one line. */
export function subjectOf(input: unknown): string {
  return clip(JSON.stringify(input ?? {}), subjectChars);
}
