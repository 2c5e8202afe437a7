import type { AgentWorkspace } from './workspace';
import type { JsonSchema } from './model-backend';

/** What a call can do, for the policy that decides who may use it and when a person is asked. */
export type ToolAccess = 'read' | 'write' | 'execute' | 'network';

export interface ToolContext {
  readonly workspace: AgentWorkspace;
  /** Time limit of a command that asks for none itself, ms; absent: the tool's own. */
  readonly commandTimeoutMs?: number;
  /** Asks a person, or an earlier decision, before a command runs; resolves to `false` when denied. Only for `execute`. */
  approveCommand(
    request: { readonly command: string; readonly cwd: string; readonly isConfined: boolean },
    signal: AbortSignal,
  ): Promise<boolean>;
}

export interface ToolResult {
  /** What the model reads; for an error it says what is wrong and what to do. */
  readonly text: string;
  readonly isError: boolean;
}

/** One ability of an agent. Adding one is one file plus one line in the registry. */
export interface Tool {
  readonly name: string;
  /** Written for the model. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly access: ToolAccess;
  /** One line for people: what the call acts on. Must not throw on malformed input. */
  subjectOf(input: unknown): string;
  /**
   * `input` is parsed JSON and still unchecked. Expected failures come back as a result with `isError`; it rejects only
   * with `cancelled/*` or a bug.
   */
  run(input: unknown, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}
