import { parseLabel, toLabel } from '../../base/ids';
import type { Label } from '../../base/ids';
import { isExcluded } from '../../run/checks';
import type { ProtocolErrorCode, Revision } from '../../run/facts';
import type { AgentState, RunState, TurnState } from '../../run/state';
import { agentAt, contenders, electable } from './ledger';
import { selfVotes } from './self-votes';

export type VoteVerdict =
  | { readonly kind: 'refused'; readonly code: ProtocolErrorCode }
  | { readonly kind: 'stale'; readonly unseen: readonly Label[] }
  | { readonly kind: 'accepted'; readonly target: Label; readonly isInformed: boolean };

/** Peers' answers that can be voted for and were not shown in this turn, newest first. */
export function unseenBy(state: RunState, agent: AgentState, turn: TurnState): readonly Label[] {
  return electable(state)
    .filter(({ slot, label }) => slot !== agent.info.slot && !turn.shown.includes(label))
    .sort((a, b) => b.seq - a.seq)
    .map(({ label }) => label);
}

/** Checks a vote's target and whether the voter has seen what it judges. The first failing check decides. */
export function judgeTarget(
  state: RunState,
  agent: AgentState,
  turn: TurnState,
  written: string,
): VoteVerdict {
  const target = parseLabel(written);
  const current = contenders(state).find(({ slot }) => slot === target?.slot);
  const n = target?.n ?? current?.n;
  if (current === undefined || n === undefined || n < 1 || n > current.n) {
    return { kind: 'refused', code: 'invalid_target' };
  }
  const refusal = refusalOf(state, agent, current);
  if (refusal !== undefined) {
    return { kind: 'refused', code: refusal };
  }
  const known = knownLabel(state, agent, turn, { slot: current.slot, n: target?.n });
  return state.settings.updateDelivery === 'off'
    ? onOlderMaterial(known)
    : onCurrentMaterial(state, agent, turn, { label: toLabel(current.slot, n), current, known });
}

/** Why an answer that stands cannot be voted for by this agent. */
function refusalOf(
  state: RunState,
  agent: AgentState,
  { slot, label }: Revision,
): ProtocolErrorCode | undefined {
  if (isExcluded(state, label)) {
    return 'excluded_by_checks';
  }
  return slot === agent.info.slot && selfVotes(state) === 'forbid' ? 'self_vote' : undefined;
}

/** Without deliveries, an agent judges what it was shown when its turn began. */
function onOlderMaterial(known: Label | undefined): VoteVerdict {
  return known === undefined
    ? { kind: 'refused', code: 'invalid_target' }
    : { kind: 'accepted', target: known, isInformed: true };
}

interface Target {
  /** What the vote names. */
  readonly label: Label;
  readonly current: Revision;
  /** The answer of that slot that the voter knows. */
  readonly known: Label | undefined;
}

function onCurrentMaterial(
  state: RunState,
  agent: AgentState,
  turn: TurnState,
  { label, current, known }: Target,
): VoteVerdict {
  const unseen = unseenBy(state, agent, turn);
  if (unseen.length === 0 && label === current.label) {
    return { kind: 'accepted', target: label, isInformed: true };
  }
  const isOutOfPatience = turn.staleReplies >= state.settings.maxStaleRedeliveries;
  return isOutOfPatience && known !== undefined
    ? { kind: 'accepted', target: known, isInformed: false }
    : { kind: 'stale', unseen };
}

/** The answer of the target's slot that the voter knows: the one it named, else the newest it was shown. */
function knownLabel(
  state: RunState,
  agent: AgentState,
  turn: TurnState,
  target: { readonly slot: number; readonly n: number | undefined },
): Label | undefined {
  const named = target.n === undefined ? undefined : toLabel(target.slot, target.n);
  if (named !== undefined && turn.shown.includes(named)) {
    return named;
  }
  const { revisions } = agentAt(state, target.slot);
  return target.slot === agent.info.slot
    ? revisions.at(-1)?.label
    : revisions.findLast(({ label }) => turn.shown.includes(label))?.label;
}
