// Models by the hosts of their makers: a price holds only there, whatever protocol is spoken.
import type { CatalogModel } from '../../core/ports/backend-kind';
import { claudeModels } from '../claude/models';
import { chatServices, isHostOf } from '../chatcompletion/services';
import { geminiModels } from '../gemini/models';
import { grokModels, openAiModels } from '../responses/models';
import { findModel } from './lookup';

const makers: readonly {
  readonly hostEnds: readonly string[];
  readonly models: readonly CatalogModel[];
}[] = [
  { hostEnds: ['openai.com'], models: openAiModels },
  { hostEnds: ['anthropic.com'], models: claudeModels },
  { hostEnds: ['googleapis.com'], models: geminiModels },
  { hostEnds: ['x.ai'], models: grokModels },
  ...chatServices.map(({ hostEnds, models = [] }) => ({ hostEnds, models })),
];

/** The model at this host, with its price; `undefined` when it is not known there. */
export function modelAt(hostname: string, model: string): CatalogModel | undefined {
  const there = makers.filter(({ hostEnds }) => isHostOf(hostname, hostEnds));
  return findModel(
    there.flatMap(({ models }) => models),
    model,
  );
}

/** The model wherever it is served: its abilities are those that its maker gave it, its price is not. */
export function modelNamed(model: string): Omit<CatalogModel, 'price'> | undefined {
  return findModel(
    makers.flatMap(({ models }) => models),
    model,
  );
}
