// Happenings that MassGen's files name and that our log does not: they follow from an event and the states around it.
import type { Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import { statusName } from '../status-agents';
import type { Step } from './artifact-part';
import { subjectOf } from './event-names';
import { newestLabels } from './named-context';
import type { Progress } from './progress';

export interface DerivedEvent {
  readonly slot: Slot | null;
  readonly type: DerivedName;
  readonly details: string;
  readonly context: Readonly<Record<string, unknown>>;
}

export const derivedNames = [
  'iteration_start',
  'iteration_end',
  'status_change',
  'context_received',
  'restart_triggered',
  'restart_completed',
  'hold_released',
] as const;

type DerivedName = (typeof derivedNames)[number];

export function derivedEvents(step: Step, progress: Progress): readonly DerivedEvent[] {
  return [
    ...iterations(step, progress),
    ...contextReceived(step),
    ...restarts(step, progress),
    ...releases(step),
    ...statusChanges(step),
  ];
}

/** An iteration is an epoch: it ends with an accepted answer and with the vote, not with every pass of a loop. */
function iterations({ recorded: { event }, after }: Step, progress: Progress): DerivedEvent[] {
  const { iteration } = progress;
  const start: DerivedEvent = {
    ...{ slot: null, type: 'iteration_start', details: `Iteration ${iteration} begins` },
    context: { iteration, available_answers: newestLabels(after) },
  };
  const end = (ended: number, reason: string): DerivedEvent => ({
    ...{ slot: null, type: 'iteration_end', details: `Iteration ${ended} is over: ${reason}` },
    context: { iteration: ended, reason },
  });
  switch (event.type) {
    case 'run-started':
    case 'orchestration-restarted':
      return [start];
    case 'answer-submitted':
      return [end(iteration - 1, 'new_answer'), start];
    case 'poll-closed':
      return [end(iteration, event.cause)];
    default:
      return [];
  }
}

function contextReceived({ recorded: { event }, before }: Step): DerivedEvent[] {
  if (event.type !== 'agent-turn-started') {
    return [];
  }
  const { slot, shown } = event;
  return [
    {
      ...{ slot, type: 'context_received', details: `Received ${shown.length} answers` },
      context: {
        available_answers: shown.map((label) => label.split('.')[0]),
        available_answer_labels: shown,
        answer_count: shown.length,
        has_conversation_history: (before.session?.history.length ?? 0) > 0,
      },
    },
  ];
}

/** Only agents whose vote or turn is really affected are named. */
function restarts({ recorded: { event }, before }: Step, progress: Progress): DerivedEvent[] {
  const idOf = (slot: Slot): string => before.agents[slot - 1]?.info.id ?? '';
  if (event.type === 'votes-voided') {
    const slot = subjectOf(event);
    const triggering = slot === null ? null : idOf(slot);
    return [triggered(slot, triggering, event.voters.map(idOf))];
  }
  if (event.type === 'agent-turn-ended' && event.outcome === 'restarted') {
    const newest = newestOf(before, event.slot);
    return [triggered(newest, newest === null ? null : idOf(newest), [idOf(event.slot)])];
  }
  if (event.type === 'agent-turn-started' && progress.round(event.slot) > 0) {
    const { slot } = event;
    const round = progress.round(slot);
    return [
      {
        ...{ slot, type: 'restart_completed', details: `Round ${round} begins` },
        context: { agent_round: round },
      },
    ];
  }
  return [];
}

function triggered(
  slot: Slot | null,
  triggering: string | null,
  affected: readonly string[],
): DerivedEvent {
  return {
    ...{ slot, type: 'restart_triggered', details: `Starts again: ${affected.join(', ')}` },
    context: { affected_agents: affected, triggering_agent: triggering },
  };
}

/** The author of the newest answer of a peer. */
function newestOf(state: RunState, slot: Slot): Slot | null {
  const newest = state.agents
    .flatMap(({ revisions }) => revisions.at(-1) ?? [])
    .filter((revision) => revision.slot !== slot)
    .toSorted((a, b) => b.seq - a.seq)[0];
  return newest?.slot ?? null;
}

/** A draft that was held back has become an answer or is dropped. */
function releases({ before, after, recorded: { event } }: Step): DerivedEvent[] {
  return before.agents.flatMap((agent, i): DerivedEvent[] => {
    const isHeld = (agent.draft ?? null) !== null;
    const isStillHeld = (after.agents[i]?.draft ?? null) !== null;
    const cause = event.type === 'answer-submitted' ? event.label : event.type;
    return isHeld && !isStillHeld
      ? [
          {
            ...{ slot: agent.info.slot, type: 'hold_released', details: 'Released' },
            context: { cause },
          },
        ]
      : [];
  });
}

function statusChanges({ before, after }: Step): DerivedEvent[] {
  if (before.agents === after.agents) {
    return [];
  }
  return after.agents.flatMap((agent, i): DerivedEvent[] => {
    const earlier = before.agents[i];
    const status = statusName(agent);
    return earlier === undefined || earlier === agent || statusName(earlier) === status
      ? []
      : [
          {
            ...{ slot: agent.info.slot, type: 'status_change' },
            details: `Changed to status: ${status}`,
            context: { status },
          },
        ];
  });
}
