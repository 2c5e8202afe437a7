import { join } from 'node:path';
import { chatCompletionKind } from '../../../src/backends/chatcompletion/index';
import type { BackendKind } from '../../../src/core/ports/backend-kind';

export const projectRoot = join(import.meta.dirname, '../../..');

/** A kind without a key and without a network, as far as configuration is concerned. */
const scriptedKind: BackendKind = {
  type: 'scripted',
  title: 'Scripted',
  description: 'Plays a script.',
  keys: [
    { name: 'model', type: 'string', isRequired: true, description: 'Name.' },
    { name: 'speed', type: 'number', isRequired: false, minimum: 0, description: 'Speed.' },
    { name: 'is_loud', type: 'boolean', isRequired: false, description: 'Loud.' },
  ],
  hostOf: () => undefined,
  defaultKeyName: () => undefined,
  familyOf: () => '',
  priceOf: () => undefined,
  refusalOf: () => undefined,
  create: () => Promise.reject(new Error('a configuration is never run here')),
};

export const kinds: readonly BackendKind[] = [chatCompletionKind, scriptedKind];
