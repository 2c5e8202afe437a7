// `coordination_events.json`: the course of an attempt in the words of MassGen, for its readers.
import type { RunEvent } from '../../run/events';
import { type ArtifactPart, type ArtifactSink, jsonText, type Step } from './artifact-part';
import { derivedEvents } from './derived-events';
import { type EventLine, toEventLine } from './event-line';
import { namedContext } from './named-context';
import { toSeconds } from './places';
import type { Progress } from './progress';

const schemaVersion = 1;

export interface CoordinationEvent {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly event_type: string;
  readonly agent_id: string | null;
  readonly details: string;
  /** Beside its own members: `iteration` and `round`. */
  readonly context: Readonly<Record<string, unknown>>;
}

export interface CoordinationEventsFile {
  readonly schema_version: number;
  readonly session_metadata: {
    readonly user_prompt: string;
    readonly agent_ids: readonly string[];
    readonly start_time: number;
    /** `null` while it goes on. */
    readonly end_time: number | null;
    readonly final_winner: string | null;
  };
  readonly events: readonly CoordinationEvent[];
}

/** What is of interest only as it happens stays in `events.jsonl`. */
const streamed: ReadonlySet<RunEvent['type']> = new Set([
  ...(['text-delta', 'model-call-started', 'model-call-ended', 'tool-call-started'] as const),
  ...(['tool-call-ended', 'tool-round-ended', 'workspace-opened', 'turn-opened'] as const),
  ...(['snapshot-taken', 'agent-waiting', 'system-call-started', 'system-call-ended'] as const),
]);

export class CoordinationEvents implements ArtifactPart {
  readonly #sink: ArtifactSink;
  readonly #path: string;
  readonly #progress: Progress;
  readonly #events: CoordinationEvent[] = [];
  #last: Step | undefined;

  /** `progress` has taken the step when this takes it. */
  constructor(sink: ArtifactSink, attemptDir: string, progress: Progress) {
    this.#sink = sink;
    this.#path = `${attemptDir}coordination_events.json`;
    this.#progress = progress;
  }

  take(step: Step): void {
    this.#last = step;
    const { recorded, before } = step;
    const timestamp = toSeconds(recorded.at);
    if (!streamed.has(recorded.event.type)) {
      const line = toEventLine(recorded, before);
      this.#events.push({
        timestamp,
        event_type: line.type,
        agent_id: line.agent_id,
        details: detailsOf(line),
        context: {
          ...line.data,
          ...namedContext(step),
          iteration: this.#progress.iteration,
          round: this.#progress.round(line.slot),
        },
      });
    }
    for (const { slot, type, details, context } of derivedEvents(step, this.#progress)) {
      this.#events.push({
        timestamp,
        event_type: type,
        agent_id: slot === null ? null : (before.agents[slot - 1]?.info.id ?? null),
        details,
        context: {
          iteration: this.#progress.iteration,
          ...context,
          round: this.#progress.round(slot),
        },
      });
    }
  }

  refresh(): void {
    if (this.#last === undefined) {
      return;
    }
    const { after } = this.#last;
    const winner = after.selection?.winner ?? null;
    const endedAt = after.timeline.findLast(({ kind }) => kind === 'ended')?.at;
    const file: CoordinationEventsFile = {
      schema_version: schemaVersion,
      session_metadata: {
        user_prompt: after.task,
        agent_ids: after.agents.map(({ info }) => info.id),
        start_time: toSeconds(after.startedAt),
        end_time: endedAt === undefined ? null : toSeconds(endedAt),
        final_winner: winner === null ? null : (after.agents[winner.slot - 1]?.info.id ?? null),
      },
      events: this.#events,
    };
    this.#sink.replace(this.#path, jsonText(file));
  }
}

function detailsOf({ type, data }: EventLine): string {
  const words = type.replaceAll('_', ' ');
  const said = [data['label'], data['reason'], data['message'], data['code'], data['finish_reason']]
    .filter((value) => typeof value === 'string' && value !== '')
    .join(': ');
  const start = words.charAt(0).toUpperCase() + words.slice(1);
  return said === '' ? start : `${start}: ${said}`;
}
