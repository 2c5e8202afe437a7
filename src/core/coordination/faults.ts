import { sha256Hex } from '../../base/sha256';
import type { RunState, TurnState } from '../../run/state';
import { failWork } from './fail-work';
import type { BackendFault } from './inputs';
import { grantCall } from './grant';
import type { Step } from './step';
import { direct } from './turn-end';
import type { Reporter } from './turn-end';
import { armLimit } from './turn-limits';

const longestBackoffMs = 60_000;
/** A service that is overloaded is not asked again sooner than this. */
const shortestWaitMs = 1000;

/** A model call failed: it is made again after a while, or the turn fails. */
export function onFault(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  fault: BackendFault,
): void {
  const delayMs = delayBefore(step.state, reporter, turn, fault);
  if (delayMs === undefined) {
    direct(step, reporter, { kind: 'end' });
    failWork(step, reporter, 'backend', fault.error);
    return;
  }
  const { slot, turnNo } = reporter;
  const isWait = fault.kind === 'wait';
  const reason = isWait ? 'rate-limit' : 'transient';
  const retryNo = turn.retries + (isWait ? 0 : 1);
  step.emit({
    type: 'backend-retried',
    slot,
    turnNo,
    retryNo,
    error: fault.error,
    delayMs,
    reason,
  });
  extendTurn(step, reporter, turn);
  grantCall(step, reporter, { kind: 'retry', delayMs, reason });
}

/** Time to wait before the next try, ms, or `undefined` when there is none. */
function delayBefore(
  state: RunState,
  reporter: Reporter,
  turn: TurnState,
  fault: BackendFault,
): number | undefined {
  const { backoffMs, backendRetries, rateLimitMaxWaitMs } = state.settings;
  const waits = turn.waits ?? 0;
  switch (fault.kind) {
    case 'fatal':
      return undefined;
    case 'transient': {
      const own = jittered(state, reporter, backoffMs * 2 ** turn.retries);
      const delay = Math.max(own, fault.retryAfterMs ?? 0);
      return turn.retries < backendRetries && delay <= rateLimitMaxWaitMs ? delay : undefined;
    }
    case 'wait': {
      const own = jittered(state, reporter, backoffMs * 2 ** waits);
      const delay = Math.max(fault.retryAfterMs ?? own, shortestWaitMs);
      return (turn.waitedMs ?? 0) + delay <= rateLimitMaxWaitMs ? delay : undefined;
    }
  }
}

/** Between three and five quarters of the time, so that agents of one service do not return together. */
function jittered(state: RunState, { slot, turnNo, call }: Reporter, delayMs: number): number {
  const digits = sha256Hex(['retry', state.settings.runSeed, slot, turnNo, call].join('\n'));
  const share = 0.75 + Number.parseInt(digits.slice(0, 8), 16) / 2 ** 33;
  return Math.round(Math.min(delayMs, longestBackoffMs) * share);
}

/** Waiting for a service is not the agent's own time. */
function extendTurn(step: Step, { slot, turnNo }: Reporter, turn: TurnState): void {
  const limit = step.state.settings.turnTimeoutMs;
  const waited = step.state.agents[slot - 1]?.turn?.waitedMs ?? 0;
  if (waited === (turn.waitedMs ?? 0)) {
    return;
  }
  if (turn.softLimitAt === undefined || turn.wrapUpAt !== undefined) {
    armLimit(step, { slot, turnNo });
  }
  if (limit !== null) {
    const delayMs = Math.max(0, turn.startedAt + limit + waited - step.at);
    step.request({
      kind: 'set-timer',
      timer: { kind: 'turn-timeout', slot, turnNo },
      delayMs,
    });
  }
}
