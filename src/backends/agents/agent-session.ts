import type {
  BackendPart,
  Media,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { Bridge } from './bridge/bridge';
import type { StartPlace } from './start-program';

/** What is known of every agent program. */
export const agentCapabilities: ModelCapabilities = {
  ...{ hasTools: true, hasParallelToolCalls: true, isAgent: true, media: ['image'] },
  ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
};

export interface AgentPrompt {
  readonly text: string;
  readonly media: readonly Media[];
  readonly approve: NonNullable<ModelRequest['approve']>;
}

/** What a session passes on as it comes: everything but calls and the end. `usage` counts one prompt. */
export type SessionPart = Exclude<BackendPart, { type: 'tool-call' | 'end' | 'verbatim' }>;

/** One conversation with a program. */
export interface AgentSession {
  /** For going on with it in another process; `undefined` when that is not possible. */
  readonly id: string | undefined;
  /** It goes on with what was said in the session that it was opened with. */
  readonly isResumed: boolean;
  /** `false` when it can take no further prompt. */
  readonly isOpen: boolean;
  /**
   * Resolves when the program has ended its turn, however it was made to. Throws `backend/*`. `signal` only keeps questions to
   * people from being waited for; to end the turn there is `cancel`. One prompt at a time.
   */
  prompt(
    prompt: AgentPrompt,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<'stop' | 'length'>;
  /** Asks the program to leave off its turn; the prompt then settles soon, unless it does not listen. */
  cancel(): void;
  /** Ends the program; resolves when nothing of it runs any more. Idempotent. */
  close(): Promise<void>;
}

/** What a session needs beside its own settings. */
export interface SessionPlace extends StartPlace {
  readonly bridge: Bridge;
}

/** How one kind of program is spoken to; everything else is the same for all. */
export interface AgentProtocol {
  /** For people, e.g. `Claude Code`. */
  readonly title: string;
  readonly capabilities: ModelCapabilities;
  /** Longest time of one prompt, ms. */
  readonly promptMs: number;
  /**
   * Begins a session, or goes on with the one of this id if that is possible. Throws `backend/*` and `cancelled/*`. `signal`
   * counts until it has begun.
   */
  open(
    place: SessionPlace,
    sessionId: string | undefined,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<AgentSession>;
  /** Tells what has become secret meanwhile, such as a renewed sign-in. Never rejects. Absent: nothing does. */
  concealNew?(): Promise<void>;
  /** Removes what it keeps on the disk. Idempotent. */
  close(): Promise<void>;
}
