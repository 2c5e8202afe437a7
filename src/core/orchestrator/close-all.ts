import type { AgentRuntime } from '../ports/agent-runtime';
import type { Logger } from '../ports/logger';

/** Closes all agents of a run. Never rejects: one that does not close keeps nobody else open. */
export async function closeAll(runtimes: readonly AgentRuntime[], logger: Logger): Promise<void> {
  const closed = await Promise.allSettled(runtimes.map(async (runtime) => runtime.close()));
  for (const one of closed) {
    if (one.status === 'rejected') {
      logger.error('orchestrator', 'an agent did not close', one.reason);
    }
  }
}
