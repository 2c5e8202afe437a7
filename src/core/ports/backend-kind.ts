import type { MassGenError } from '../errors';
import type { Clock } from './clock';
import type { Logger } from './logger';
import type { ModelBackend } from './model-backend';
import type { Secrets } from './secrets';

/** One key of a backend block in a team file. The one source for checks, completion, hover and the reference table. */
export interface BackendKey {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'secret' | 'url';
  readonly isRequired: boolean;
  /** One sentence for hover and the reference table. */
  readonly description: string;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A checked backend block. Secrets are named (`apiKeyName`), never held. */
export interface BackendSettings {
  readonly type: string;
  readonly model: string;
  /** Name of the variable that holds the key, `undefined` when none is needed or configured. */
  readonly apiKeyName: string | undefined;
  /** The remaining keys of the block, checked against the kind's list. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

export interface BackendServices {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly inputUsd: number;
  readonly cachedInputUsd: number;
  readonly outputUsd: number;
}

/** Everything the rest of the product knows about one `backend.type`. Adding a backend is adding one of these. */
export interface BackendKind {
  readonly type: string;
  /** For people, e.g. `OpenAI-compatible server`. */
  readonly title: string;
  /** One line on what it is and needs. */
  readonly description: string;
  readonly keys: readonly BackendKey[];
  /** Host that receives the prompts and, if any, the key; `undefined` for something inside this machine. */
  hostOf(settings: BackendSettings): string | undefined;
  /** Name of the variable that holds the key when the block names none; `undefined` when no key is needed. */
  defaultKeyName(settings: BackendSettings): string | undefined;
  /** Family label such as `gpt`; empty when unknown. */
  familyOf(settings: BackendSettings): string;
  /** `undefined` when the price is not known; all zero when it is known to cost nothing. */
  priceOf(settings: BackendSettings): ModelPrice | undefined;
  /** Why a task cannot be run at all with these settings, asked before a run starts; `undefined` when it can. */
  refusalOf(settings: BackendSettings, task: string): MassGenError | undefined;
  /** Throws `config/missing-secret` and the like; sends nothing to any service. SDKs are loaded here, not earlier. */
  create(
    settings: BackendSettings,
    services: BackendServices,
    signal: AbortSignal,
  ): Promise<ModelBackend>;
}
