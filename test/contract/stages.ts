import { stageAcp } from './acp-stage';
import { stageAnthropic } from './anthropic-stage';
import { chatServices } from '../../src/backends/chatcompletion/services';
import type { BackendStage } from './backend-kit';
import { stageClaudeCode } from './claude-code-stage';
import { stageCodex } from './codex-stage';
import { stageChatCompletion } from './chatcompletion-stage';
import { stageGemini } from './gemini-stage';
import { stageOffline } from './offline-stage';
import { stageResponses } from './responses-stage';

/** By adapter. A new one adds its line here. */
export const stages: Readonly<Record<string, BackendStage>> = {
  acp: stageAcp,
  chatcompletion: stageChatCompletion,
  claude: stageAnthropic,
  claude_code: stageClaudeCode,
  codex: stageCodex,
  gemini: stageGemini,
  offline: stageOffline,
  responses: stageResponses,
};

/** Kinds that are rows of another kind's adapter, by `backend.type`; every other kind is an adapter of its own. */
const rowsOf: Readonly<Record<string, string>> = {
  openai: 'responses',
  grok: 'responses',
  azure_openai: 'responses',
  ...Object.fromEntries(chatServices.map(({ type }) => [type, 'chatcompletion'])),
};

/** The stage that stands for a kind. */
export function adapterOf(type: string): string {
  return rowsOf[type] ?? type;
}
