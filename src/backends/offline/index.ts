// `offline`: plays a recorded run, or the demonstration that ships with the product. Needs no network and no key.
import { join } from 'node:path';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { BackendKey, BackendSettings, ModelKind } from '../../core/ports/backend-kind';
import { OfflineBackend } from './offline-backend';
import { type Recording, readRecording } from './recording';

const keys: readonly BackendKey[] = [
  {
    name: 'model',
    type: 'string',
    isRequired: true,
    description: 'Name to show for this agent; it chooses nothing.',
  },
  {
    name: 'recording',
    type: 'string',
    isRequired: false,
    description: 'File name of the recording, or id of a stored run; `demo.jsonl` when absent.',
  },
  {
    name: 'speed',
    type: 'number',
    isRequired: false,
    minimum: 0.1,
    maximum: 100_000,
    description: 'How many times faster than recorded to play; 1 when absent.',
  },
];

const realModels =
  'For other tasks choose real models: those of your editor, a service with an API key, or a local server such as Ollama or LM Studio.';

/**
 * `recordingsDir`: the folder in which recordings are looked up by file name; `runsDir`: the one with the folders of
 * stored runs, whose logs are recordings too.
 */
export function createOfflineKind(recordingsDir: string, runsDir?: string): ModelKind {
  // A recording does not change while the product runs, and each agent of a team asks for the same one.
  const loaded = new Map<string, Recording>();
  const load = (settings: BackendSettings): Recording => {
    const name = recordingName(settings);
    const file =
      runsDir !== undefined && runId.test(name)
        ? join(runsDir, name, 'run.jsonl')
        : join(recordingsDir, name);
    const recording = loaded.get(name) ?? readRecording(file);
    loaded.set(name, recording);
    return recording;
  };
  return {
    type: 'offline',
    title: 'Offline demonstration',
    description: 'Plays a recorded team on the sample project; needs neither network nor key.',
    keys,
    hostOf: () => undefined,
    keyNamesOf: () => [],
    familyOf: () => 'script',
    priceOf: () => ({ inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 }),
    refusalOf: (settings, task) => refusalOf(() => load(settings), task),
    async create(settings, services, signal) {
      signal.throwIfAborted();
      const { clock } = services;
      return new OfflineBackend({ recording: load(settings), speed: speedOf(settings), clock });
    },
  };
}

function refusalOf(load: () => Recording, task: string): MassGenError | undefined {
  try {
    const recording = load();
    if (normal(task) === normal(recording.task)) {
      return undefined;
    }
    const what = recording.isHandmade
      ? 'This team is a script made by hand that knows only the task of the sample project'
      : 'This team plays a recorded run and knows only the task of that run';
    return new MassGenError('backend/unavailable', `${what}: ${recording.task}`, {
      hint: realModels,
    });
  } catch (error) {
    if (isMassGenError(error)) {
      return error;
    }
    throw error;
  }
}

function normal(task: string): string {
  return task.trim().replace(/\s+/g, ' ');
}

/** As runs are named by this product; names nothing but a folder. */
const runId = /^\d{8}-\d{6}-\d{3}-[0-9a-f]{6}$/;

/** A bare file name or the id of a run: a team file must not make the product read elsewhere. */
function recordingName(settings: BackendSettings): string {
  const name = settings.options['recording'] ?? 'demo.jsonl';
  if (typeof name === 'string' && (/^[\w-][\w.-]*\.jsonl$/.test(name) || runId.test(name))) {
    return name;
  }
  throw new MassGenError(
    'config/invalid',
    `recording must be the bare name of a .jsonl file or the id of a run, not ${JSON.stringify(name)}.`,
  );
}

function speedOf(settings: BackendSettings): number {
  const speed = settings.options['speed'];
  return typeof speed === 'number' && speed > 0 ? speed : 1;
}
