// What a line of arguments asks for, checked as far as the line itself tells.
import type { Command } from './options';
import type { OverrideWords } from './override-words';
import type { Shell } from './shells';
import type { GenerateOptions, QuickstartOptions } from './wizards/wizard-options';

export interface CommonOptions {
  readonly storage: string | undefined;
  readonly noColor: boolean;
  readonly debug: boolean;
}

/** Of everything that plays agents. */
export interface PlayOptions extends CommonOptions {
  /** As written: a path, a name, `@examples/…`. */
  readonly config: string | undefined;
  /** Write the result into the project. */
  readonly apply: boolean;
  readonly allowCommands: boolean;
  readonly trustConfig: boolean;
}

/** A team without a file. */
export interface QuickOptions {
  /** One agent each; empty: the usual model of `backend`. */
  readonly models: readonly string[];
  readonly backend: string | undefined;
  readonly systemMessage: string | undefined;
  readonly baseUrl: string | undefined;
}

/** What the line says otherwise than the team file. */
export interface TeamChanges {
  /** `first`, or the id of an agent. */
  readonly singleAgent: { readonly id: string | undefined } | undefined;
  /** One answer of each agent, then the vote. */
  readonly isQuick: boolean;
  readonly coordinationMode: 'parallel' | 'decomposition' | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** What warnings about a team file do: they are told, they stop the run, or nothing. */
export type WarningLevel = 'told' | 'strict' | 'silent';

export interface CliOptions extends PlayOptions {
  readonly task: string | undefined;
  /** The shipped team on the shipped sample, whatever is configured. */
  readonly isDemonstration: boolean;
  readonly project: string | undefined;
  readonly select: boolean;
  readonly quick: QuickOptions | undefined;
  readonly changes: TeamChanges;
  readonly warnings: WarningLevel;
  /** The current folder as a further context path. */
  readonly cwdContext: 'read' | 'write' | undefined;
  /** `@path` in the task names a context path. */
  readonly readsReferences: boolean;
  /** `undefined`: the live view where a person watches. */
  readonly display: 'simple' | 'live' | undefined;
  /** Plain `KEY: value` lines for scripts instead of text for people. */
  readonly automation: boolean;
  /** With one line for each answer and vote. */
  readonly timeline: boolean;
  /** JSON lines instead of the `KEY: value` lines; `automation` is set, too. */
  readonly streamEvents: boolean;
  /** Where the final answer is written beside the run's own files. */
  readonly outputFile: string | undefined;
  /** Folder of messages; `undefined`: `inbox` beside the run's files. */
  readonly inboxDir: string | undefined;
  /** Nothing of the run is kept. */
  readonly noLogs: boolean;
  /** The list of sessions of all programs is left as it is. */
  readonly noSessionRegistry: boolean;
  /** The note that the limiter is always on. */
  readonly rateLimit: boolean;
  /** Keep the readable files of the run in `.massgen` of the project. */
  readonly logInProject: boolean;
  /** Names or commands of checks, or none at all; `undefined`: those of the team file. */
  readonly checks: readonly string[] | 'none' | undefined;
  /** Where the task goes on from; `undefined`: nowhere. */
  readonly follows: 'folder' | { readonly session: string } | undefined;
}

export interface RedecideOptions extends CommonOptions {
  readonly overrides: OverrideWords;
  readonly json: boolean;
}

export interface RunsOptions extends CommonOptions {
  readonly all: boolean;
  readonly json: boolean;
}

export interface LogsOptions extends CommonOptions {
  readonly what: 'summary' | 'tools' | 'list' | 'open';
  readonly logDir: string | undefined;
  /** `undefined`: the usual number. */
  readonly limit: number | undefined;
  readonly sort: 'time' | 'calls';
  readonly json: boolean;
}

export interface ExportOptions extends CommonOptions {
  readonly output: string | undefined;
  /** As written, e.g. `2-4`. */
  readonly turns: string | undefined;
  readonly noWorkspace: boolean;
  /** As written, e.g. `500KB`. */
  readonly workspaceLimit: string | undefined;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export interface ViewerOptions extends CommonOptions {
  /** `undefined`: `massgen-RUN.html` in the current folder. */
  readonly output: string | undefined;
  readonly force: boolean;
  readonly open: boolean;
}

export interface ModelsOptions extends CommonOptions {
  /** Ask the service. */
  readonly refresh: boolean;
  /** `undefined`: the one of the type. */
  readonly baseUrl: string | undefined;
  readonly json: boolean;
}

export interface PatchOptions extends CommonOptions {
  /** `undefined`: standard output. */
  readonly output: string | undefined;
}

export interface CleanUpOptions extends CommonOptions {
  readonly limits: {
    readonly runs: number | null;
    readonly days: number | null;
    readonly bytes: number | null;
  };
  readonly dryRun: boolean;
}

export interface ValidateOptions extends CommonOptions {
  /** As written. */
  readonly file: string;
  readonly project: string | undefined;
  readonly strict: boolean;
  readonly json: boolean;
  /** Also what every setting comes to. */
  readonly verbose: boolean;
}

export interface ListOptions extends CommonOptions {
  readonly json: boolean;
}

export interface SchemaOptions extends CommonOptions {
  /** Only what this type of backend has. */
  readonly backend: string | undefined;
  readonly withExamples: boolean;
}

/** Without the way back to the rest of the command line. */
type Alone<T> = Omit<T, 'run'>;

/** `run` of the others: as written. */
export type Invocation =
  | { readonly kind: 'run'; readonly options: CliOptions }
  | { readonly kind: 'replay'; readonly run: string; readonly options: CommonOptions }
  | { readonly kind: 'redecide'; readonly run: string; readonly options: RedecideOptions }
  | { readonly kind: 'resume'; readonly run: string; readonly options: PlayOptions }
  | { readonly kind: 'runs'; readonly options: RunsOptions }
  | { readonly kind: 'logs'; readonly options: LogsOptions }
  /** `undefined`: the newest run. */
  | { readonly kind: 'export'; readonly run: string | undefined; readonly options: ExportOptions }
  /** `undefined`: the newest run. */
  | { readonly kind: 'viewer'; readonly run: string | undefined; readonly options: ViewerOptions }
  | { readonly kind: 'patch'; readonly run: string; readonly options: PatchOptions }
  | { readonly kind: 'clean-up'; readonly options: CleanUpOptions }
  | { readonly kind: 'models'; readonly type: string | undefined; readonly options: ModelsOptions }
  | { readonly kind: 'validate'; readonly options: ValidateOptions }
  | { readonly kind: 'list-backends'; readonly options: ListOptions }
  | { readonly kind: 'list-examples'; readonly options: ListOptions }
  | { readonly kind: 'list-sessions'; readonly options: RunsOptions }
  | { readonly kind: 'example'; readonly name: string; readonly options: CommonOptions }
  | { readonly kind: 'show-schema'; readonly options: SchemaOptions }
  | { readonly kind: 'setup' | 'init'; readonly options: CommonOptions }
  | { readonly kind: 'quickstart'; readonly options: CommonOptions & Alone<QuickstartOptions> }
  | { readonly kind: 'generate-config'; readonly options: CommonOptions & Alone<GenerateOptions> }
  | { readonly kind: 'completion'; readonly shell: Shell }
  | { readonly kind: 'help'; readonly about: HelpPage }
  | { readonly kind: 'version' };

export type HelpTopic =
  | 'run'
  | 'config'
  | 'automation'
  | 'sessions'
  | 'setup'
  | 'keys'
  | 'examples'
  | 'exit-codes'
  | 'all';

/** `short`: what `--help` alone prints. */
export type HelpPage = 'short' | HelpTopic | Exclude<Command, 'run'>;
