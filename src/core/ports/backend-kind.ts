import type { MassGenError } from '../errors';
import type { Clock } from './clock';
import type { Logger } from './logger';
import type { ModelBackend } from './model-backend';
import type { Secrets } from './secrets';
import type { AgentWorkspace } from './workspace';

/** One key of a backend block in a team file. The one source for checks, completion, hover and the reference table. */
export interface BackendKey {
  readonly name: string;
  /** `mapping`: any YAML mapping, handed on as it is; `strings`: a list of texts, or a single one. */
  readonly type:
    'string' | 'number' | 'integer' | 'boolean' | 'secret' | 'url' | 'mapping' | 'strings';
  readonly isRequired: boolean;
  /** One sentence for hover and the reference table. */
  readonly description: string;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A value of a team file. */
export type OptionValue =
  | string
  | number
  | boolean
  | null
  | readonly OptionValue[]
  | { readonly [key: string]: OptionValue };

/** A checked backend block. Secrets are named (`apiKeyName`), never held. */
export interface BackendSettings {
  readonly type: string;
  /** Empty where the kind has a model of its own to fall back on. */
  readonly model: string;
  /** Name of the variable that holds the key, `undefined` when none is configured. */
  readonly apiKeyName: string | undefined;
  /** The remaining keys of the block, checked against the kind's list. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Tools of the service that the agent may use; absent: none. */
  readonly hostedTools?: readonly HostedToolName[];
}

export type HostedToolName = 'web-search' | 'code-execution';

export interface BackendServices {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly inputUsd: number;
  readonly cachedInputUsd: number;
  /** Input that is written into a cache; absent: like other input. */
  readonly cacheWriteUsd?: number;
  readonly outputUsd: number;
  /** Requests whose input has more tokens than this are charged at these prices throughout; absent: one price. */
  readonly above?: { readonly inputTokens: number; readonly price: ModelPrice };
}

/** A model as the catalog has it. Facts with a date and a source; what is not known is absent. */
export interface CatalogModel {
  readonly id: string;
  /** Maker or line, e.g. `gpt`. */
  readonly family: string;
  readonly contextWindowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly price?: ModelPrice;
  /** Day from which the price holds no more, `2026-12-31`; absent: open. */
  readonly priceUntil?: string;
  /** Day on which the service ends it, and what to use then. */
  readonly retires?: string;
  readonly successor?: string;
  /** Where the facts are from, in a few words. */
  readonly source: string;
}

/** Everything the rest of the product knows about one `backend.type`, apart from how it is opened. */
interface KindFacts {
  readonly type: string;
  /** Further names under which a team file may write the type, e.g. `kimi`; in lower case with `_`; absent: none. */
  readonly aliases?: readonly string[];
  /** For people, e.g. `OpenAI-compatible server`. */
  readonly title: string;
  /** One line on what it is and needs. */
  readonly description: string;
  readonly keys: readonly BackendKey[];
  /** Tools of the service that can be switched on; absent: none. */
  readonly hostedTools?: readonly HostedToolName[];
  /** What a block without `model` uses; absent: a model must be named. */
  readonly defaultModel?: string;
  /** Known models of the service, newest first; absent: none are known. */
  readonly models?: readonly CatalogModel[];
  /** Host that receives the prompts and, if any, the key; `undefined` for something inside this machine. */
  hostOf(settings: BackendSettings): string | undefined;
  /** Names of the variables that can hold the key when the block names none, the first that is set counts; empty: no key is needed. */
  keyNamesOf(settings: BackendSettings): readonly string[];
  /** Family label such as `gpt`; empty when unknown. */
  familyOf(settings: BackendSettings): string;
  /** `undefined` when the price is not known; all zero when it is known to cost nothing. */
  priceOf(settings: BackendSettings): ModelPrice | undefined;
  /** Name for people of what plays an agent with these settings; absent: always `title`. */
  titleOf?(settings: BackendSettings): string;
  /** Why a task cannot be run at all with these settings, asked before a run starts; `undefined` when it can. */
  refusalOf(settings: BackendSettings, task: string): MassGenError | undefined;
  /** What of these settings the model cannot have, as one sentence; a run goes without it. Absent: it has all. */
  leftOutOf?(settings: BackendSettings): string | undefined;
  /** Names of the models that the service offers now. Sends one request; throws `backend/*`. Absent: it cannot tell. */
  discover?(
    settings: BackendSettings,
    services: BackendServices,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}

/** A service or server that is asked for one response at a time. */
export interface ModelKind extends KindFacts {
  readonly isProgram?: false;
  /** Throws `config/missing-secret` and the like; sends nothing to any service. SDKs are loaded here, not earlier. */
  create(
    settings: BackendSettings,
    services: BackendServices,
    signal: AbortSignal,
  ): Promise<ModelBackend>;
}

/** An agent program of another maker on this machine, which works in the files of the agent that it plays. */
export interface ProgramKind extends KindFacts {
  readonly isProgram: true;
  /** The program and its arguments, for the question before a team file is trusted. */
  commandOf(settings: BackendSettings): readonly string[];
  /** Names of variables that it gets, those that are set, although the block does not name them; absent: none. */
  givenKeysOf?(settings: BackendSettings): readonly string[];
  /**
   * Throws `config/missing-secret`, and `backend/unavailable` when the program is not installed or too old, each with what
   * to do. Starts it at most to ask for its version; the rest is done by the first request.
   */
  createIn(
    workspace: AgentWorkspace,
    settings: BackendSettings,
    services: ProgramServices,
    signal: AbortSignal,
  ): Promise<ModelBackend>;
}

export interface ProgramServices extends BackendServices {
  /** Servers of the agent, for the program to start by itself. */
  readonly toolServers: readonly ToolServerConfig[];
  /** From now on keeps a secret out of everything that is written, e.g. how a program is signed in; absent: nothing is. */
  readonly conceal?: (secret: string) => void;
}

/** A server that brings tools, as a team file or the editor names it. Secrets stand as `${NAME}` until they are used. */
export interface ToolServerConfig {
  /** `[A-Za-z0-9_-]`, unique for the agent. */
  readonly name: string;
  readonly transport:
    | {
        readonly type: 'stdio';
        /** Program and arguments; no shell takes part. */
        readonly command: readonly [string, ...string[]];
        readonly environment: Readonly<Record<string, string>>;
        /** As written; absent: the agent's first root. */
        readonly cwd?: string;
      }
    | {
        readonly type: 'http' | 'sse';
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
      };
  /** Raw names that are kept; absent: all. */
  readonly allowedTools?: readonly string[];
  readonly excludedTools: readonly string[];
  /** How long one call may take, ms; absent: the product's own. */
  readonly callTimeoutMs?: number;
  /** Hosts (`host` or `host:port`) that the confined program may reach; absent: any public one. */
  readonly hosts?: readonly string[];
  /** It may be on this machine or in a private network; absent: no. */
  readonly isLocalAllowed?: boolean;
}

/** Everything the rest of the product knows about one `backend.type`. Adding a backend is adding one of these. */
export type BackendKind = ModelKind | ProgramKind;
