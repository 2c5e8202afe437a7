import type { BackendKind } from '../core/ports/backend-kind';
import { chatCompletionKind } from './chatcompletion/index';
import { geminiKind } from './gemini/index';
import { createOfflineKind } from './offline/index';

/** The kinds of backend that come with the product and need no editor. Adding one is adding a line here. */
export function builtInBackends(options: {
  /** Folder of recordings for `offline`. */
  readonly recordingsDir: string;
  /** Folder of stored runs, which `offline` can play as well; absent: it cannot. */
  readonly runsDir?: string;
}): readonly BackendKind[] {
  return [
    chatCompletionKind,
    geminiKind,
    createOfflineKind(options.recordingsDir, options.runsDir),
  ];
}
