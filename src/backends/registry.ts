import type { BackendKind } from '../core/ports/backend-kind';
import { createAcpKind } from './agents/acp/index';
import { createClaudeCodeKind } from './agents/claude-code/index';
import { createCodexKind } from './agents/codex/index';
import { chatCompletionKinds } from './chatcompletion/index';
import { claudeKind } from './claude/index';
import { geminiKind } from './gemini/index';
import { createOfflineKind } from './offline/index';
import { createAzureKind, grokKind, openAiKind } from './responses/index';

/** Makers of models, in the order in which they are offered; whoever hosts what others make comes after them. */
const makers: readonly string[] = ['openai', 'claude', 'gemini', 'grok', 'deepseek', 'mistral'];

/** The kinds of backend that come with the product and need no editor. Adding one is adding a line here. */
export function builtInBackends(options: {
  /** Folder of recordings for `offline`. */
  readonly recordingsDir: string;
  /** Folder of stored runs, which `offline` can play as well; absent: it cannot. */
  readonly runsDir?: string;
}): readonly BackendKind[] {
  const kinds = [
    ...chatCompletionKinds,
    claudeKind,
    geminiKind,
    openAiKind,
    grokKind,
    createAzureKind(process.env),
    createClaudeCodeKind(),
    createCodexKind(),
    createAcpKind(),
    createOfflineKind(options.recordingsDir, options.runsDir),
  ];
  return kinds.sort((a, b) => rank(a) - rank(b));
}

function rank({ type }: BackendKind): number {
  const place = makers.indexOf(type);
  return place === -1 ? makers.length : place;
}
