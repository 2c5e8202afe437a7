import * as vscode from 'vscode';
import { raceAbort } from '../../base/abort';
import { WireBackend } from '../../backends/wire/wire-backend';
import { MassGenError } from '../../core/errors';
import type { ModelKind, BackendSettings } from '../../core/ports/backend-kind';
import type { KnownModel } from '../memory';
import { toBackendError } from './lm-errors';
import { LmProtocol } from './lm-protocol';

/** What silence is waited for when a team file says nothing, s; a person may be asked for consent in it. */
const usualSilenceSeconds = 600;
const longestCallMs = 60 * 60 * 1000;

/** `backend.type: vscode_lm`: a language model that the editor offers, e.g. through a sign-in; it needs no key. */
export function createLmKind(knownModels: () => readonly KnownModel[]): ModelKind {
  const familyOf = ({ model, options }: BackendSettings): string => {
    const stated = options['family'];
    return typeof stated === 'string'
      ? stated
      : (knownModels().find(({ id }) => id === model)?.family ?? '');
  };
  return {
    type: 'vscode_lm',
    title: 'Language model of the editor',
    description: 'A model that VS Code offers to extensions; it asks for consent and needs no key.',
    keys: [
      {
        name: 'model',
        type: 'string',
        isRequired: true,
        description: 'Id of the model as the editor names it.',
      },
      {
        name: 'vendor',
        type: 'string',
        isRequired: false,
        description: 'Extension or service that provides the model, e.g. `copilot`.',
      },
      {
        name: 'family',
        type: 'string',
        isRequired: false,
        description:
          'Line of models it belongs to; agents of different families judge more independently.',
      },
      {
        ...{ name: 'timeout_seconds', type: 'number', isRequired: false },
        description: `Longest silence of the model before a call is given up; ${usualSilenceSeconds} when absent.`,
        ...{ minimum: 1, maximum: 3600 },
      },
    ],
    hostOf,
    keyNamesOf: () => [],
    familyOf,
    priceOf: () => undefined,
    refusalOf: () => undefined,
    create: async (settings, services, signal) => {
      const select = async (stop: AbortSignal): Promise<vscode.LanguageModelChat> =>
        selectModel(settings, stop);
      const { model, options } = settings;
      const seconds = options['timeout_seconds'];
      return new WireBackend({
        protocol: new LmProtocol(await select(signal), select),
        endpoint: { baseUrl: '', origin: '', host: `The ${hostOf(settings)}`, isLoopback: true },
        ...{ model, key: undefined, services },
        silenceMs: (typeof seconds === 'number' ? seconds : usualSilenceSeconds) * 1000,
        totalMs: longestCallMs,
      });
    },
  };
}

function hostOf({ options }: BackendSettings): string {
  const vendor = options['vendor'];
  return typeof vendor === 'string' ? `editor model provider "${vendor}"` : 'editor model provider';
}

/** Called when a run starts, which is always an action of the user. */
async function selectModel(
  settings: BackendSettings,
  signal: AbortSignal,
): Promise<vscode.LanguageModelChat> {
  const vendor = settings.options['vendor'];
  const selector = { id: settings.model, ...(typeof vendor === 'string' ? { vendor } : {}) };
  const models = await raceAbort(
    Promise.resolve(vscode.lm.selectChatModels(selector)).catch((error: unknown) => {
      throw toBackendError(error);
    }),
    signal,
  );
  const [model] = models;
  if (model === undefined) {
    throw new MassGenError(
      'backend/unavailable',
      `The editor offers no language model with the id "${settings.model}" now.`,
      {
        hint: 'Choose Use Editor Models to see which models it offers, or add a key or a local server.',
      },
    );
  }
  return model;
}
