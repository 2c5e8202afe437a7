import type { App, RunHandle } from '../../app/app-contract';
import type { RunId } from '../../base/ids';
import type { Logger } from '../../core/ports/logger';
import type { ShownSession } from '../../protocol/webview';
import { selectTeamUsage } from '../../run/selectors/sums';
import type { WindowRuns } from './window-runs';

type RunSummary = Awaited<ReturnType<App['listRuns']>>[number];

/** The session that a run is part of, gathered from the stored runs; read again only when the runs have changed. */
export class SessionFacts {
  readonly #app: App;
  readonly #runs: WindowRuns;
  readonly #logger: Logger;
  #known: { readonly key: string; readonly session: Promise<ShownSession | null> } | undefined;

  constructor(app: App, runs: WindowRuns, logger: Logger) {
    this.#app = app;
    this.#runs = runs;
    this.#logger = logger;
  }

  /** `null` where the shown run stands alone. Never rejects: what cannot be read is left out. */
  async read(): Promise<ShownSession | null> {
    const { shown, all, live } = this.#runs;
    if (shown === undefined) {
      return null;
    }
    const key = `${shown.runId} ${all.length} ${live.length}`;
    if (this.#known?.key !== key) {
      this.#known = { key, session: this.#gather(shown) };
    }
    return this.#known.session;
  }

  async #gather(shown: RunHandle): Promise<ShownSession | null> {
    try {
      const sessionId = shown.state().session?.sessionId ?? shown.runId;
      const turns = (await this.#runsOf(sessionId))
        .map(({ runId, task, turn = 1 }) => ({ turn, runId, task }))
        .sort((a, b) => a.turn - b.turn);
      return turns.length < 2 ? null : { turns, ...(await this.#sums(turns)) };
    } catch (error) {
      this.#logger.error('storage', 'The turns of the session could not be read.', error);
      return null;
    }
  }

  async #runsOf(sessionId: string): Promise<readonly RunSummary[]> {
    const own = (await this.#app.listRuns()).filter(
      (run) => run.sessionId === sessionId || run.runId === sessionId,
    );
    if (own.length > 0) {
      return own;
    }
    const sessions = await this.#app.listSessions();
    return sessions.find((session) => session.sessionId === sessionId)?.runs ?? [];
  }

  async #sums(turns: readonly { readonly runId: RunId }[]): Promise<Omit<ShownSession, 'turns'>> {
    const sums = { calls: 0, tokens: 0, costUsd: 0, unpricedCalls: 0 };
    for (const { runId } of turns) {
      const run = this.#runs.get(runId) ?? (await this.#app.openRun(runId));
      const usage = selectTeamUsage(run.state());
      sums.calls += usage.calls;
      sums.tokens += usage.inputTokens + usage.outputTokens;
      sums.costUsd += usage.costUsd;
      sums.unpricedCalls += usage.unpricedCalls;
    }
    return sums;
  }
}
