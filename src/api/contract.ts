// What programs see of MassGen. This file is also the source of the published types, so it imports nothing.
// Within version 1 things are only added: new optional options, new members of results, new kinds of events.

/** A folder or file that agents see. They work on copies: nothing of it changes before `apply`. */
export interface ContextPath {
  /** Relative to `cwd`. */
  readonly path: string;
  /** `write`: agents may propose changes. Default: `write`. */
  readonly permission?: 'read' | 'write';
  /** Paths inside it, relative to it, that agents may read and not change. */
  readonly protectedPaths?: readonly string[];
}

/** Something that an agent wants to do and that nothing confines. */
export interface CommandQuestion {
  /**
   * `command`: shell text. `program`: an agent program, for the whole run. `tool`: a tool of a server, with its input.
   * `request`: a call that reaches out of this machine.
   */
  readonly kind: 'command' | 'program' | 'tool' | 'request';
  readonly command: string;
  /** Where it would run: a copy of your folder. */
  readonly cwd: string;
  /** Id of the agent. */
  readonly agent: string;
}

/**
 * What happens to commands that nothing confines. `deny`: none runs. `allow`: all run, with your rights, in copies. A list:
 * exactly these run. A function is asked for each.
 */
export type CommandPolicy =
  | 'deny'
  | 'allow'
  | readonly string[]
  | ((question: CommandQuestion) => boolean | Promise<boolean>);

/** Limits of a run; `null`: none. They go before those of the team. */
export interface RunLimits {
  readonly durationMs?: number | null;
  readonly modelCalls?: number | null;
  /** US dollars; counts calls whose price is known. */
  readonly costUsd?: number | null;
}

/** Makes a team of models without a file. */
export interface TeamOptions {
  /** E.g. `gpt-5.4`, or `openai/gpt-5.4`. */
  readonly model?: string;
  /** One agent for each. */
  readonly models?: readonly string[];
  /** `backend.type` of all of them; without it the names of the models tell. */
  readonly backend?: string;
  readonly baseUrl?: string;
  /** So many agents with `model`. */
  readonly numAgents?: number;
  readonly systemMessage?: string;
}

/** A checked team as it would stand in a file. */
export interface BuiltConfig {
  /** YAML, to be saved as `NAME.massgen.yaml`. */
  readonly text: string;
  readonly warnings: readonly ConfigProblem[];
}

export interface RunOptions extends TeamOptions {
  /**
   * The team: path of a file, a name such as `@examples/basic/multi/three_agents_default`, the content of a team file as an
   * object, or what `buildConfig` has answered. Without it: `model` or `models`; without those the file that the command
   * line would find.
   */
  readonly config?: string | BuiltConfig | Readonly<Record<string, unknown>>;
  /** A file inside `cwd`, or one that sends keys to other hosts than usual, is refused without it. */
  readonly trustConfig?: boolean;
  /** The project: where relative paths begin and a team file is looked for. Default: the working directory. */
  readonly cwd?: string;
  /** Beside those of the team. */
  readonly contextPaths?: readonly (string | ContextPath)[];
  /** Stops the run; the promise rejects with `cancelled/user` once nothing of it is left. */
  readonly signal?: AbortSignal;
  /** `false`: nothing of the run stays on the disk; then changes can only be applied by `apply: true`. Default: `true`. */
  readonly enableLogging?: boolean;
  /** The final answer is written there, relative to `cwd`. */
  readonly outputFile?: string;
  /** Id of a session, or of a run of it, that goes on. */
  readonly session?: string;
  /** The newest session about `cwd` goes on. */
  readonly continue?: boolean;
  /** Default: `deny`. */
  readonly commandPolicy?: CommandPolicy;
  /** Writes changes that need no second look into your files when the run has ended well. Default: `false`. */
  readonly apply?: boolean;
  /** Names of checks of the team or the project, or commands; they go before those of the team. */
  readonly checks?: 'none' | readonly string[];
  readonly limits?: RunLimits;
  /** Where runs are kept. Default: as for the command line. */
  readonly storageDir?: string;
  /** Keys by the name of their variable, before the environment. */
  readonly keys?:
    | Readonly<Record<string, string>>
    | ((name: string) => string | undefined | Promise<string | undefined>);
  /** Instead of `process.env` and `.env` files. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ConfigProblem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  /** E.g. `agents[1].backend.type`. */
  readonly keyPath: string;
  readonly message: string;
  /** The likely spelling. */
  readonly suggestion?: string;
}

export interface ErrorFacts {
  /** `family/name`, e.g. `backend/auth`. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A changed file of the proposal. */
export interface ChangedFile {
  /** Name of the folder, as in `folders` of the event `started`. */
  readonly root: string;
  /** Relative to it, with `/`. */
  readonly path: string;
  readonly kind: 'add' | 'modify' | 'delete' | 'rename' | 'mode' | 'link' | 'folder';
  /** With `rename`: the path before. */
  readonly from?: string;
  /** Lines; 0 for binary files. */
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  /** `apply` leaves it out unless it is named. */
  readonly caution?: 'ignored' | 'sensitive';
  readonly hunks: readonly Hunk[];
}

/** Some lines of the file before that others replace. */
export interface Hunk {
  readonly id: string;
  /** First line before and after, from 1. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

export interface AppliedFile {
  readonly root: string;
  readonly path: string;
  readonly outcome: 'done' | 'conflict' | 'skipped' | 'failed';
  /** What to know, for people; mostly empty when done. */
  readonly detail: string;
}

/** What the chosen answer would change. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** A unified diff that `git apply` takes, as bytes: files need not be UTF-8. */
  readonly patch: Uint8Array;
  /** The same for people. */
  readonly patchText: string;
  /** What `apply: true` has written; empty without it. */
  readonly applied: readonly AppliedFile[];
  /**
   * Writes files of the change set into your folders; without names all that need no second look. A file that was changed
   * meanwhile is merged, or left alone as a conflict. Rejects with `config/invalid` when the run was not kept.
   */
  apply(
    files?: readonly Pick<ChangedFile, 'root' | 'path'>[],
    signal?: AbortSignal,
  ): Promise<readonly AppliedFile[]>;
}

export interface Vote {
  /** Ids of the voter and of the author of what it voted for. */
  readonly voter: string;
  readonly votedFor: string;
  readonly label: string;
  readonly reason: string;
  /** `false`: a newer answer or another round has made it history. */
  readonly isValid: boolean;
}

/** How the run was decided. */
export interface Agreement {
  readonly rule: string;
  readonly threshold: number | null;
  readonly quorum: number;
  /** Weight of votes by label, with and without those for oneself. */
  readonly tally: Readonly<Record<string, number>>;
  readonly tallyFromOthers: Readonly<Record<string, number>>;
  /** Weight that the rule asks for; `null`: any. */
  readonly needed: number | null;
  /** Of the leader, 0 to 1. */
  readonly share: number;
  /** Weight of the leader less that of the next one. */
  readonly margin: number;
  readonly isUnanimous: boolean;
  /** `false`: something else than the rule has chosen, or nothing was chosen. */
  readonly isConsensus: boolean;
  /** E.g. `rule`, `tie_break`, `judge`, `timeout`, `no_consensus`. */
  readonly decidedBy: string;
  readonly votes: readonly Vote[];
}

export interface AgentResult {
  readonly id: string;
  readonly backend: string;
  readonly model: string;
  readonly status: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars; a lower bound while `unpricedCalls` is not 0. */
  readonly costUsd: number;
  readonly unpricedCalls: number;
  readonly error?: ErrorFacts;
}

export interface Answer {
  readonly agent: string;
  /** E.g. `agent2.1`: the first answer of the second agent. */
  readonly label: string;
  readonly text: string;
}

export type Outcome =
  'completed' | 'timeout' | 'budget' | 'no-consensus' | 'error' | 'cancelled' | 'interrupted';

export interface RunResult {
  readonly runId: string;
  /** Give it as `session` to go on. */
  readonly sessionId: string;
  readonly outcome: Outcome;
  /** `null` when there is none. */
  readonly finalAnswer: string | null;
  readonly winner: { readonly agent: string; readonly label: string } | null;
  /** `null` when the run ended before anything was counted. */
  readonly agreement: Agreement | null;
  readonly answers: readonly Answer[];
  readonly agents: readonly AgentResult[];
  /** Of all agents and of questions of the run itself. */
  readonly costUsd: number;
  readonly changes: ChangeSet;
  /** Folder with the readable files of the run; `null` when nothing was kept. */
  readonly logDirectory: string | null;
  /** What the check of the team and the run had to remark. */
  readonly warnings: readonly string[];
  readonly error: ErrorFacts | null;
}

/**
 * Why there is no result. `config/*`: the team or an option is wrong, and nothing was sent anywhere. `cancelled/user`: the
 * signal was aborted. `backend/*`, `storage/*`: what the run needs is not there.
 */
export class RunError extends Error {
  readonly code: string;
  /** What can be done, one sentence. */
  readonly hint: string | undefined;
  /** All problems of the team file. */
  readonly problems: readonly ConfigProblem[];
  /** What there was when the run was stopped. */
  readonly result: RunResult | undefined;

  constructor(
    facts: ErrorFacts,
    more: {
      readonly problems?: readonly ConfigProblem[];
      readonly result?: RunResult;
      readonly cause?: unknown;
    } = {},
  ) {
    super(facts.message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'RunError';
    this.code = facts.code;
    this.hint = facts.hint;
    this.problems = more.problems ?? [];
    this.result = more.result;
  }
}
