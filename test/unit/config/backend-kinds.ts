import { join } from 'node:path';
import { chatCompletionKind } from '../../../src/backends/chatcompletion/index';
import type { ModelKind } from '../../../src/core/ports/backend-kind';

export const projectRoot = join(import.meta.dirname, '../../..');

/** A kind without a key and without a network, as far as configuration is concerned. */
const scriptedKind: ModelKind = {
  type: 'scripted',
  title: 'Scripted',
  description: 'Plays a script.',
  keys: [
    { name: 'model', type: 'string', isRequired: true, description: 'Name.' },
    { name: 'speed', type: 'number', isRequired: false, minimum: 0, description: 'Speed.' },
    { name: 'is_loud', type: 'boolean', isRequired: false, description: 'Loud.' },
  ],
  hostOf: () => undefined,
  keyNamesOf: () => [],
  familyOf: () => '',
  priceOf: () => undefined,
  refusalOf: () => undefined,
  create: () => Promise.reject(new Error('a configuration is never run here')),
};

export const kinds: readonly ModelKind[] = [chatCompletionKind, scriptedKind];
