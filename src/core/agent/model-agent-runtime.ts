import type { AgentRuntime } from '../ports/agent-runtime';
import { AgentInstructions } from './agent-instructions';
import { Turn } from './turn';
import type { AgentParts } from './turn-parts';

/** Our own loop around a model: prompt, stream, tools, report, again. Owns the backend and the workspace it is given. */
export function createModelAgentRuntime(parts: AgentParts): AgentRuntime {
  const { userFiles, payloads, redact, workspace } = parts;
  const instructions =
    userFiles === undefined
      ? undefined
      : new AgentInstructions({ userFiles, payloads, redact }, workspace.roots);
  return {
    async runTurn(input, engine, signal): Promise<void> {
      const { projectInstructions } = input.state.settings;
      const own = projectInstructions ? instructions : undefined;
      await new Turn({ ...parts, instructions: own }, input, engine).play(signal);
    },
    async close(): Promise<void> {
      // What was started in the files of the agent ends before they do.
      await Promise.allSettled([parts.source?.close(), parts.backend.close()]);
      await Promise.allSettled([parts.workspace.close()]);
    },
  };
}
