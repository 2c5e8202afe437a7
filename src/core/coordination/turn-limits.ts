import type { Slot } from '../../base/ids';
import type { AgentState, RunState, TurnState } from '../../run/state';
import type { TurnLimitReached } from '../../run/turn-events';
import type { TimerId } from './inputs';
import { agentAt, turnOf } from './ledger';
import type { Step } from './step';

interface Where {
  readonly slot: Slot;
  readonly turnNo: number;
}

type LimitCause = TurnLimitReached['by'];
type LimitKind = 'turn-soft' | 'turn-hard' | 'turn-kill';

/** Sets the timer of the next limit of a turn, from what the state says; also after an interruption. */
export function armLimit(step: Step, where: Where): void {
  const turn = turnOf(step.state, where);
  const next = turn === undefined ? undefined : nextLimit(step.state, where.slot, turn);
  if (next !== undefined) {
    const delayMs = Math.max(0, next.at - step.at);
    step.request({ kind: 'set-timer', timer: timerOf(next.kind, where), delayMs });
  }
}

export function timerOf(kind: LimitKind, { slot, turnNo }: Where): TimerId {
  return { kind, slot, turnNo };
}

/** The limits follow one another. Waiting for a service is not the agent's own time. */
function nextLimit(
  state: RunState,
  slot: Slot,
  turn: TurnState,
): { readonly kind: LimitKind; readonly at: number } | undefined {
  const { turnGraceMs, hardKillMs } = state.settings;
  const { softLimitAt, wrapUpAt, hardLimitAt, waitedMs = 0, waitedBeforeWrapUp = 0 } = turn;
  if (hardLimitAt !== undefined) {
    return { kind: 'turn-kill', at: hardLimitAt + hardKillMs };
  }
  if (wrapUpAt !== undefined) {
    return { kind: 'turn-hard', at: wrapUpAt + turnGraceMs + waitedMs - waitedBeforeWrapUp };
  }
  if (softLimitAt !== undefined) {
    return { kind: 'turn-kill', at: softLimitAt + turnGraceMs + hardKillMs };
  }
  const soft = softLimit(state, agentAt(state, slot));
  return soft === null ? undefined : { kind: 'turn-soft', at: turn.startedAt + soft + waitedMs };
}

/** The first work takes longest, also when it has to be done in several turns. Finishing touches have own limits. */
function softLimit(state: RunState, agent: AgentState): number | null {
  const { first, later } = state.settings.softTurnMs;
  if (agent.turn?.purpose !== undefined) {
    return null;
  }
  return agent.revisions.length === 0 ? first : later;
}

/** From now on the agent is asked to finish, at the next moment at which something can be said to it. */
export function reachSoftLimit(step: Step, where: Where, by: LimitCause): void {
  const turn = turnOf(step.state, where);
  if (turn !== undefined && turn.softLimitAt === undefined) {
    const { slot, turnNo } = where;
    step.emit({ type: 'turn-limit-reached', slot, turnNo, limit: 'soft', by });
    step.request({ kind: 'clear-timer', timer: timerOf('turn-soft', where) });
    armLimit(step, where);
  }
}

/** From the next call on the agent can only hand in. */
export function reachHardLimit(step: Step, where: Where, by: LimitCause = 'clock'): void {
  const turn = turnOf(step.state, where);
  if (turn !== undefined && turn.hardLimitAt === undefined) {
    const { slot, turnNo } = where;
    step.emit({ type: 'turn-limit-reached', slot, turnNo, limit: 'hard', by });
    armLimit(step, where);
  }
}

/** Calls that were made so often in a row with the same result: the agent is asked to finish, then its tools go. */
const mostRepeats = { soft: 5, hard: 8 } as const;

/** An agent that does the same again and again spends money and gets nowhere, however much time it has. */
export function onRepeats(step: Step, where: Where, repeats = 1): void {
  if (repeats >= mostRepeats.soft) {
    reachSoftLimit(step, where, 'repeats');
  }
  if (repeats >= mostRepeats.hard) {
    reachHardLimit(step, where, 'repeats');
  }
}

/** Timers that the limits of a turn may have set. */
export function limitTimers(state: RunState, turn: TurnState, slot: Slot): readonly TimerId[] {
  const { first, later } = state.settings.softTurnMs;
  const isLimited = first !== null || later !== null || turn.softLimitAt !== undefined;
  const kinds = isLimited ? (['turn-soft', 'turn-hard', 'turn-kill'] as const) : [];
  return kinds.map((kind) => timerOf(kind, { slot, turnNo: turn.turnNo }));
}
