import type { AgentRuntime } from '../ports/agent-runtime';
import { Turn, type TurnParts } from './turn';

/** Our own loop around a model: prompt, stream, tools, report, again. Owns the backend and the workspace it is given. */
export function createModelAgentRuntime(parts: TurnParts): AgentRuntime {
  return {
    async runTurn(input, engine, signal): Promise<void> {
      await new Turn(parts, input, engine).play(signal);
    },
    async close(): Promise<void> {
      await Promise.allSettled([parts.workspace.close(), parts.backend.close()]);
    },
  };
}
