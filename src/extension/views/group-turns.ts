interface Listed {
  readonly runId: string;
  readonly sessionId?: string;
}

/**
 * Runs of one session together, each group in the order of `runs` (newest first) and standing where its newest run
 * does. The first run of a session has its id, and may not say that it is part of one.
 */
export function groupTurns<Run extends Listed>(
  runs: readonly Run[],
): readonly { readonly sessionId: string; readonly turns: readonly Run[] }[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const sessionId = run.sessionId ?? run.runId;
    groups.set(sessionId, [...(groups.get(sessionId) ?? []), run]);
  }
  return [...groups].map(([sessionId, turns]) => ({ sessionId, turns }));
}
