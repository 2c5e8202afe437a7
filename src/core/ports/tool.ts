import type { Slot } from '../../base/ids';
import type { ToolServerChanged } from '../../run/call-events';
import type { JsonSchema, Media } from './model-backend';
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
  /** Kinds of media that the agent's model can take; absent: none. */
  readonly media?: readonly Media['kind'][];
  /**
   * Asks a person, or an earlier decision, before a command runs or an address is fetched; resolves to `false` when
   * denied. Only for `execute` and `network`.
   */
  approveCommand(
    request: {
      readonly command: string;
      readonly cwd: string;
      readonly isConfined: boolean;
      /** It is no command but reaches out of this machine, to what `command` names; absent: a command. */
      readonly isRequest?: true;
      /** It is no command but a tool with its input, of a server or of the user; absent: a command. */
      readonly isTool?: true;
      /** It is a tool that is not as it was when somebody last let it work, so that no earlier word holds for it; absent: it is. */
      readonly isChanged?: true;
      /** It is no command but an agent program that nothing confines; absent: a command. */
      readonly isProgram?: true;
    },
    signal: AbortSignal,
  ): Promise<boolean>;
}

export interface ToolResult {
  /** What the model reads; for an error it says what is wrong and what to do. */
  readonly text: string;
  readonly isError: boolean;
  /** For models that take it; others read the text alone. */
  readonly media?: readonly Media[];
  /** All of it, where `text` leaves something out; kept as a file that the agent can read. Absent: `text` is all. */
  readonly whole?: string;
}

/** One ability of an agent. Adding one is one file plus one line in the registry. */
export interface Tool {
  readonly name: string;
  /** Written for the model. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly access: ToolAccess;
  readonly effect: ToolEffect;
  /** Kind of media that its results consist of: not offered to a model that cannot take it; absent: text. */
  readonly gives?: Media['kind'];
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

/** Tools of one agent that are not known before it starts, such as those of servers. */
export interface ToolSource {
  /**
   * What can be used now, in a fixed order; equal from one call to the next as long as nothing has come or gone. Starts what
   * is not started yet and waits for it no longer than its own time limit. Never throws but `cancelled/*`: what cannot be
   * reached is told through `onChange`.
   */
  tools(context: ToolContext, signal: AbortSignal): Promise<readonly Tool[]>;
  /** Ends what it has started; resolves when nothing of it runs any more. Idempotent. */
  close(): Promise<void>;
}

/** How a server fares, without the agent that it belongs to. */
export type ToolServerChange = Omit<ToolServerChanged, 'slot'>;
