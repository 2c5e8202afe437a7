import type { BackendSettings, OptionValue, ToolServerConfig } from '../core/ports/backend-kind';
import type { CommandRules } from '../core/ports/command-rules';
import type { JsonSchema, Media } from '../core/ports/model-backend';
import type { AutoApply } from '../core/ports/review';
import type { CoordinationSettings } from '../run/coordination-settings';
import type { PathPermission, RunCaps } from '../run/facts';

export interface AgentConfig {
  /** Unique in the team; never sent to a model. */
  readonly id: string;
  readonly backend: BackendSettings;
  /** The user's own text, sent to this agent unchanged. */
  readonly systemMessage: string | undefined;
  readonly weight: number;
  /** Whether tools with an effect outside wait for a decision, for this agent alone; absent: as the settings say. */
  readonly planningMode?: 'on' | 'off';
  /** Absent: what every agent has. */
  readonly tools?: AgentTools;
  /** What its commands are held to beside the rules of the run; absent: nothing more. */
  readonly commandRules?: CommandRules;
  /** How critical it is before it votes; absent: as the team. */
  readonly votingSensitivity?: CoordinationSettings['votingSensitivity'];
}

/** What an agent has beside the tools of every agent. */
export interface AgentTools {
  readonly servers: readonly ToolServerConfig[];
  readonly custom: readonly CustomToolConfig[];
  /** Files that are put before the model with the task. */
  readonly uploads: readonly UploadConfig[];
}

/** A function of the user, run as a confined program of its own for each call; never loaded into this process. */
export interface CustomToolConfig {
  /** Shown to the model, made legal. */
  readonly name: string;
  readonly description: string | undefined;
  /** `module`: a function in a file of JavaScript or Python. `command`: a program that reads the input as JSON. */
  readonly run:
    | { readonly kind: 'module'; readonly path: string; readonly function: string }
    | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };
  /** Arguments that the model does not see and cannot change. */
  readonly presetArguments: Readonly<Record<string, OptionValue>>;
  /** JSON Schema of the input; absent: read off signature and docstring. */
  readonly inputSchema?: JsonSchema;
}

export interface UploadConfig {
  readonly kind: Media['kind'];
  /** As written: a path, or an `https` address. */
  readonly source: string;
  /** Absent: what fits into a request. */
  readonly maxBytes?: number;
}

export interface ContextPathConfig {
  /** As written; relative ones are resolved against the project. */
  readonly path: string;
  readonly permission: PathPermission;
  readonly protectedPaths: readonly string[];
}

/** A checked team: deeply frozen, without any secret value. */
export interface RunConfig {
  readonly name: string;
  /** Absolute path of the team file; `undefined` for a built-in team. */
  readonly file: string | undefined;
  readonly agents: readonly AgentConfig[];
  readonly contextPaths: readonly ContextPathConfig[];
  readonly settings: Omit<CoordinationSettings, 'runSeed'> & {
    readonly runSeed: string | undefined;
  };
  readonly caps: RunCaps;
  /** The session that each run of the file goes on with, by `session_id`; absent: one of its own. */
  readonly sessionId?: string;
  /** The caps that the file itself sets; a shell's own settings apply to the others. */
  readonly capsFromFile?: readonly (keyof RunCaps)[];
  readonly commandTimeoutMs: number;
  /** Shortest time between the starts of two turns with one model and key, ms; absent: none. */
  readonly paceMs?: number;
  /** Names of the variables, none of them keys, from which settings of the file have taken their values; absent: none. */
  readonly variables?: readonly string[];
  /** Those settings by the value that they have on this machine, as they are written in the file; absent: none. */
  readonly writtenSettings?: Readonly<Record<string, string>>;
  /** Things accepted but mapped or without effect here, one sentence each. */
  readonly notices: readonly string[];
  /** The model outside of the team that decides a split or looks at finished work; absent: none. */
  readonly judge?: BackendSettings;
  /** On the command line: what needs no decision is written when the run has ended well; absent: only when asked for. */
  readonly autoApply?: AutoApply;
  /** On the command line: a deadline that was hit with an answer counts as success. */
  readonly isTimeoutWithAnswerOk?: boolean;
  /** On the command line: the task, when none is given; absent: there must be one. */
  readonly prompt?: string;
  /** On the command line: how the run is shown; absent: as the arguments say. */
  readonly display?: 'rich' | 'simple' | 'silent';
}

/** Lines and columns are 1-based; the end is exclusive. */
export interface ProblemPlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** E.g. `agents[1].backend.type`. */
  readonly keyPath: string;
  readonly message: string;
}

/** One problem of a team file; all problems are reported at once. Its place is the key or value that it is about. */
export interface ConfigProblem extends ProblemPlace {
  readonly severity: 'error' | 'warning';
  /** Absolute path, or a name such as `(built-in)`. */
  readonly file: string;
  /** The likely spelling, for a quick fix that replaces the range. */
  readonly suggestion?: string;
  /** With `unset`: the name under which a key is missing, for a fix that adds it; absent: it is no key. */
  readonly keyName?: string;
  /** Further places that the problem is about, e.g. every key without effect after the first; absent: none. */
  readonly related?: readonly ProblemPlace[];
  readonly code:
    | 'syntax'
    | 'unknown-key'
    | 'unknown-backend'
    | 'missing'
    | 'wrong-type'
    | 'wrong-value'
    | 'duplicate'
    | 'literal-key'
    /** A variable or key that has no value on this machine. */
    | 'unset'
    /** A path or program that is not on this machine. */
    | 'not-found'
    | 'too-large'
    /** It says nothing beside the other keys. */
    | 'no-effect'
    | 'not-supported';
}

export type ConfigResult =
  | {
      readonly kind: 'ok';
      readonly config: RunConfig;
      readonly warnings: readonly ConfigProblem[];
    }
  | { readonly kind: 'problems'; readonly problems: readonly ConfigProblem[] };
