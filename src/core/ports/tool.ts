import type { Slot } from '../../base/ids';
import type { JsonSchema } from './model-backend';
import type { AgentWorkspace } from './workspace';

/** What a call can do, for the policy that decides who may use it and when a person is asked. */
export type ToolAccess = 'read' | 'write' | 'execute' | 'network';

/**
 * Where the effect of a call ends. `workspace`: in the agent's own files. `external`: beyond them, where it cannot be
 * taken back, as for a message that is sent. `unknown`: it depends on the call.
 */
export type ToolEffect = 'read' | 'workspace' | 'external' | 'unknown';

export interface ToolContext {
  readonly workspace: AgentWorkspace;
  readonly slot: Slot;
  /** Files, in one spelling each, whose content the agent has read or written in this turn; tools add to it. */
  readonly seenPaths: Set<string>;
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
  readonly effect: ToolEffect;
  /** One line for people: what the call acts on. Must not throw on malformed input. */
  subjectOf(input: unknown): string;
  /** Paths the call is about, as written; absent or empty for none. Must not throw on malformed input. */
  pathsOf?(input: unknown): readonly string[];
  /**
   * `input` is parsed JSON and still unchecked. Expected failures come back as a result with `isError`; it rejects only
   * with `cancelled/*` or a bug.
   */
  run(input: unknown, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}
