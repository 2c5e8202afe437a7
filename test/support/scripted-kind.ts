import type { ModelKind, BackendSettings, ModelPrice } from '../../src/core/ports/backend-kind';
import { MassGenError } from '../../src/core/errors';
import type { RunConfig } from '../../src/config/run-config';
import { recommendedProfile } from '../../src/run/profiles';
import { ScriptedBackend, type ScriptedResponse } from './scripted-backend';

/** A backend kind whose models play scripts by their name; `needsKey` asks for the key of that name when it is made. */
export class ScriptedKind {
  readonly made: ScriptedBackend[] = [];
  readonly kind: ModelKind;

  constructor(
    readonly scripts: Readonly<Record<string, readonly ScriptedResponse[]>>,
    options: { readonly price?: ModelPrice; readonly knownTask?: string } = {},
  ) {
    this.kind = {
      type: 'scripted',
      title: 'Scripted',
      description: 'Plays scripts.',
      keys: [],
      hostOf: () => undefined,
      keyNamesOf: () => [],
      familyOf: () => 'script',
      priceOf: () => options.price,
      refusalOf: (_settings, task) =>
        options.knownTask === undefined || options.knownTask === task
          ? undefined
          : new MassGenError('backend/unavailable', 'This script knows another task only.'),
      create: async ({ model, apiKeyName }, { secrets }) => {
        if (apiKeyName !== undefined && (await secrets.get(apiKeyName)) === undefined) {
          throw new MassGenError('config/missing-secret', `The key ${apiKeyName} is not set.`);
        }
        const backend = new ScriptedBackend(...(scripts[model] ?? []));
        this.made.push(backend);
        return backend;
      },
    };
  }
}

/** A team whose members play the scripts of these names. */
export function teamOf(
  models: readonly string[],
  settings: Partial<BackendSettings> = {},
): RunConfig {
  return {
    name: 'Test team',
    file: undefined,
    agents: models.map((model, i) => ({
      id: `member_${model}_${i + 1}`,
      backend: { type: 'scripted', model, apiKeyName: undefined, options: {}, ...settings },
      systemMessage: undefined,
      weight: 1,
    })),
    contextPaths: [],
    settings: { ...recommendedProfile, backoffMs: 0, runSeed: '5eed' },
    caps: { durationMs: null, modelCalls: null, costUsd: null },
    commandTimeoutMs: 60_000,
    notices: [],
  };
}
