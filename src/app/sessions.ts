import type { RunId, SnapshotId } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { RunSummary } from '../core/ports/event-store';
import type { OpenSession, SessionTurn, TurnFile } from '../core/ports/session-store';
import type { SessionInfo } from '../run/facts';
import { boundedHistory } from '../run/session-history';
import type { RunState } from '../run/state';
import type { StoredFiles } from './run-files';
import type { Services } from './services';

type SessionServices = Pick<Services, 'store' | 'sessions' | 'files' | 'logger'>;

/** A run's place in its session, held from before its start until it is over. */
export interface HeldTurn {
  readonly info: SessionInfo;
  /**
   * Makes the run a turn of the session when its answer was accepted, and a note otherwise; then lets go. Never rejects:
   * the run is over and kept, whatever comes of its session.
   */
  finish(state: RunState, files: StoredFiles): Promise<void>;
  /** Lets go of the session without a trace. Idempotent. */
  release(): void;
}

/**
 * Makes room for the next turn of the session that a run belongs to; a run on its own becomes the first turn of a
 * session named after it. Throws `storage/locked` while that run or another one of the session goes on.
 */
export async function joinSession(
  services: SessionServices,
  follows: RunId,
  historyBudgetTokens: number | null,
): Promise<HeldTurn> {
  const { state } = await services.store.open(follows);
  if (state?.runId !== follows) {
    throw new MassGenError('storage/corrupt', `The log of run ${follows} holds no run.`);
  }
  if (state.outcome === null) {
    throw new MassGenError('storage/locked', `The run ${follows} has not ended yet.`, {
      hint: 'Wait for its end, or stop it, then continue.',
    });
  }
  const open = await services.sessions.open(sessionIdOf(state));
  try {
    await catchUp(services, open, state);
    return hold(services, open, nextTurn(open, historyBudgetTokens));
  } catch (error) {
    open.close();
    throw error;
  }
}

/**
 * The next turn of the session of this id: after its newest run where it has one; else the session begins with this
 * run. Throws like `joinSession`, and `storage/failed` for an id that cannot name a folder.
 */
export async function joinNamedSession(
  services: SessionServices,
  sessionId: string,
  historyBudgetTokens: number | null,
): Promise<HeldTurn> {
  const newest = runToContinue(await services.store.list(), { sessionId });
  if (newest !== undefined) {
    return joinSession(services, newest, historyBudgetTokens);
  }
  const open = await services.sessions.open(sessionId);
  return hold(services, open, nextTurn(open, historyBudgetTokens));
}

/** The same for a run that goes on where it was cut off; `undefined` for a run on its own. */
export async function rejoinSession(
  services: SessionServices,
  session: SessionInfo | undefined,
): Promise<HeldTurn | undefined> {
  return session === undefined
    ? undefined
    : hold(services, await services.sessions.open(session.sessionId), session);
}

/**
 * The run to continue: of a session the newest one, of a folder the newest one that worked on it and came to an answer,
 * else the newest one with an answer of all. `undefined` when there is none.
 */
export function runToContinue(
  newestFirst: readonly RunSummary[],
  of: { readonly sessionId: string } | { readonly folder: string } | 'newest',
): RunId | undefined {
  const hasAnswer = ({ outcome }: RunSummary): boolean => outcomesWithAnswer.has(outcome ?? '');
  if (of === 'newest') {
    return newestFirst.find(hasAnswer)?.runId;
  }
  if ('sessionId' in of) {
    return newestFirst.find((run) => (run.sessionId ?? run.runId) === of.sessionId)?.runId;
  }
  return newestFirst.find((run) => run.folders?.includes(of.folder) === true && hasAnswer(run))
    ?.runId;
}

/** A run on its own begins a session that would be named after it. */
export function sessionIdOf({ runId, session }: RunState): string {
  return session?.sessionId ?? runId;
}

/** An answer that came because time or money ran out is an answer. */
const outcomesWithAnswer: ReadonlySet<string> = new Set(['completed', 'timeout', 'budget']);

function isAccepted({ outcome, finalAnswer }: RunState): boolean {
  return finalAnswer !== null && outcomesWithAnswer.has(outcome ?? '');
}

/** The run before may have ended without becoming a turn: it was on its own, or its process died in that moment. */
async function catchUp(
  services: SessionServices,
  open: OpenSession,
  state: RunState,
): Promise<void> {
  const number = state.session?.turn ?? 1;
  const { turns } = open.session;
  const isKnown = turns.some(({ runId, turn }) => runId === state.runId || turn >= number);
  if (isKnown || !isAccepted(state)) {
    return;
  }
  const files = services.files.open(state.runId);
  try {
    await commit(open, state, { number, files });
  } finally {
    await files.close();
  }
}

function nextTurn({ session }: OpenSession, budgetTokens: number | null): SessionInfo {
  const { sessionId, turns } = session;
  const last = turns.at(-1);
  const snapshotId = last?.snapshotId ?? null;
  return {
    sessionId,
    turn: (last?.turn ?? 0) + 1,
    history: boundedHistory(turns, budgetTokens),
    ...(last === undefined || snapshotId === null
      ? {}
      : { seed: { runId: last.runId, snapshotId } }),
  };
}

function hold({ logger }: SessionServices, open: OpenSession, info: SessionInfo): HeldTurn {
  return {
    info,
    async finish(state, files): Promise<void> {
      try {
        await (isAccepted(state)
          ? commit(open, state, { number: info.turn, files })
          : open.note(noteOf(state)));
      } catch (error) {
        logger.error('storage', `run ${state.runId} did not become a turn of its session`, error);
      } finally {
        open.close();
      }
    },
    release: () => open.close(),
  };
}

async function commit(
  open: OpenSession,
  state: RunState,
  { number, files }: { readonly number: number; readonly files: StoredFiles },
): Promise<void> {
  const turn = turnOf(state, number);
  await open.commit(turn, privateFiles(files, state, turn.snapshotId));
}

function turnOf(state: RunState, turn: number): SessionTurn {
  const { runId, task, finalAnswer } = state;
  const winner = state.agents[(finalAnswer?.slot ?? 0) - 1];
  const voted = winner?.revisions.find(({ label }) => label === finalAnswer?.label);
  return {
    turn,
    runId,
    task,
    answer: finalAnswer?.text ?? '',
    winner: winner?.info.id ?? '',
    snapshotId: voted?.snapshotId ?? null,
    endedAt: state.lastEventAt,
    costUsd: costOf(state),
  };
}

function noteOf(state: RunState): Parameters<OpenSession['note']>[0] {
  const { runId, outcome, lastEventAt } = state;
  return {
    runId,
    outcome: outcome ?? 'interrupted',
    endedAt: lastEventAt,
    costUsd: costOf(state),
  };
}

function costOf({ agents, systemCalls }: RunState): number {
  return agents.reduce((sum, { usage }) => sum + usage.costUsd, systemCalls.usage.costUsd);
}

/**
 * What the winner left in its own folder. Links are left out: they could lead anywhere once they lie in another folder.
 */
function privateFiles(
  files: StoredFiles,
  { contextRoots }: RunState,
  snapshotId: SnapshotId | null,
): readonly TurnFile[] {
  const all = snapshotId === null ? undefined : files.snapshotFiles(snapshotId);
  return (all ?? []).filter(
    ({ root, kind }) => kind === 'file' && !contextRoots.some(({ name }) => name === root),
  );
}
