import type { BackendStage } from './backend-kit';
import { stageChatCompletion } from './chatcompletion-stage';
import { stageGemini } from './gemini-stage';
import { stageOffline } from './offline-stage';

/** By adapter. A new one adds its line here. */
export const stages: Readonly<Record<string, BackendStage>> = {
  chatcompletion: stageChatCompletion,
  gemini: stageGemini,
  offline: stageOffline,
};

/** Kinds that are rows of another kind's adapter, by `backend.type`; every other kind is an adapter of its own. */
const rowsOf: Readonly<Record<string, string>> = {
  openai: 'responses',
  grok: 'responses',
  azure_openai: 'responses',
};

/** The stage that stands for a kind. */
export function adapterOf(type: string): string {
  return rowsOf[type] ?? type;
}
