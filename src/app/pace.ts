import type { RunConfig } from '../config/run-config';
import { paced } from '../core/orchestrator/pace';
import type { AgentRuntime } from '../core/ports/agent-runtime';
import type { Services } from './services';

/** Keeps the turns of agents apart that use one model with one key, when the team asks for it. */
export function pacedRuntimes(
  { pacer }: Pick<Services, 'pacer'>,
  { agents, paceMs: gapMs = 0 }: Pick<RunConfig, 'agents' | 'paceMs'>,
  runtimes: ReadonlyMap<number, AgentRuntime>,
): ReadonlyMap<number, AgentRuntime> {
  if (gapMs <= 0) {
    return runtimes;
  }
  return new Map(
    [...runtimes].map(([slot, runtime]) => {
      const backend = agents[slot - 1]?.backend;
      const key = JSON.stringify([backend?.type, backend?.model, backend?.apiKeyName ?? null]);
      return [slot, paced(runtime, { pacer, key, gapMs })];
    }),
  );
}
