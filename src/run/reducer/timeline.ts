import { parseLabel } from '../../base/ids';
import type { Label, Slot } from '../../base/ids';
import type { CheckSubject } from '../check-facts';
import type { ToolServerChanged } from '../call-events';
import type { RunEvent } from '../events';
import type { VoidCause } from '../facts';
import type { RunState, TimelineEntry } from '../state';
import type { TurnLimitReached } from '../turn-events';

interface Line {
  readonly slot?: Slot;
  readonly labels?: readonly Label[];
  readonly slots?: readonly Slot[];
  readonly text?: string;
}

/** Adds the timeline's line for an event; most events have none. */
export function withTimeline(
  state: RunState,
  event: RunEvent,
  place: { readonly seq: number; readonly at: number },
): RunState {
  const found = agentLine(event) ?? teamLine(event);
  if (found === undefined) {
    return state;
  }
  const [kind, line] = found;
  const isOnce = kind === 'instructions' || kind.startsWith('server-');
  if (isOnce && isTold(state, kind, line)) {
    return state;
  }
  const entry: TimelineEntry = {
    seq: place.seq,
    at: place.at,
    kind,
    slot: line.slot ?? null,
    labels: line.labels ?? [],
    slots: line.slots ?? [],
    text: line.text ?? '',
  };
  return { ...state, timeline: [...state.timeline, entry] };
}

/**
 * Each agent reads the same instructions, and a server that is tried again fails as before; people need to hear of
 * either once.
 */
function isTold({ timeline }: RunState, kind: TimelineEntry['kind'], line: Line): boolean {
  return timeline.some(
    (entry) =>
      entry.kind === kind &&
      entry.text === line.text &&
      (kind === 'instructions' || entry.slot === line.slot),
  );
}

type Found = readonly [TimelineEntry['kind'], Line] | undefined;

function agentLine(event: RunEvent): Found {
  switch (event.type) {
    case 'answer-submitted':
      return ['answer', { slot: event.slot, labels: [event.label] }];
    case 'vote-cast':
      return ['vote', { slot: event.slot, labels: [event.target], text: event.reason }];
    case 'vote-ignored':
      return ['vote-ignored', { slot: event.slot, labels: event.unseen, text: event.target }];
    case 'update-delivered':
      return ['update', { slot: event.slot, labels: event.labels }];
    case 'agent-turn-ended':
      return event.outcome === 'restarted' ? ['restart', { slot: event.slot }] : undefined;
    case 'protocol-error':
      return ['protocol-error', { slot: event.slot, text: event.message }];
    case 'turn-failed':
      return ['turn-failed', { slot: event.slot, text: event.error.message }];
    case 'agent-failed':
      return ['agent-failed', { slot: event.slot, text: event.error.message }];
    case 'agent-abstained':
      return ['agent-abstained', { slot: event.slot }];
    case 'final-answer':
      return ['final-answer', { slot: event.slot, labels: [event.label], text: event.source }];
    default:
      return undefined;
  }
}

function teamLine(event: RunEvent): Found {
  switch (event.type) {
    case 'run-started':
      return ['run-started', { text: event.task }];
    case 'votes-voided':
      return [
        'votes-voided',
        {
          slots: event.voters,
          ...causeOf(event.cause),
        },
      ];
    case 'runoff-started':
      return ['runoff', { slots: event.candidates }];
    case 'extra-round-started':
      return ['extra-round', {}];
    case 'cap-reached':
      return ['cap', { text: event.cap }];
    case 'final-agent-selected': {
      const { winner, agreement } = event;
      return [
        'decided',
        {
          text: agreement.decidedBy,
          ...(winner === null ? {} : { slot: winner.slot, labels: [winner.label] }),
        },
      ];
    }
    case 'run-ended':
      return ['ended', { text: event.outcome }];
    case 'warning-raised':
      return ['warning', { text: event.message }];
    default:
      return roundLine(event) ?? userLine(event);
  }
}

function causeOf(cause: VoidCause): Line {
  return cause === 'runoff' || cause === 'extra_round' || cause === 'dual_pass'
    ? { text: cause }
    : { labels: [cause] };
}

function roundLine(event: RunEvent): Found {
  switch (event.type) {
    case 'dual-pass-started':
      return ['dual-pass', { slots: event.candidates }];
    case 'judge-decided':
      return ['judge', { labels: event.label === null ? [] : [event.label], text: event.reason }];
    case 'turn-limit-reached':
      return event.by === 'user'
        ? undefined
        : ['time-limit', { slot: event.slot, text: limitOf(event) }];
    case 'planning-decided':
      return event.isOn && event.blockedTools.length > 0
        ? ['planning', { text: event.blockedTools.join(', ') }]
        : undefined;
    case 'evaluation-ended':
      return ['evaluation', { slot: event.slot, text: event.reason || event.decision }];
    case 'orchestration-restarted':
      return ['attempt', { text: String(event.attempt) }];
    case 'run-resumed':
      return ['resumed', {}];
    case 'checks-ended':
      return ['checks', checkedLine(event.subject)];
    case 'instructions-read':
      return ['instructions', { text: event.files.map(({ path }) => path).join(', ') }];
    case 'effect-recorded':
      return ['effect', { slot: event.slot, text: event.effect.tool }];
    default:
      return toolLine(event);
  }
}

function toolLine(event: RunEvent): Found {
  switch (event.type) {
    case 'model-call-ended':
      return event.isCut === true ? ['cut', { slot: event.slot }] : undefined;
    case 'tool-server-changed':
      return serverLine(event);
    default:
      return undefined;
  }
}

/** What is to be known of a server: that it failed and why, or what is not as expected although it works. */
function serverLine({ status, slot, server, message }: ToolServerChanged): Found {
  const line = { slot, text: `${server}: ${message ?? ''}` };
  if (status === 'failed') {
    return ['server-failed', line];
  }
  return status === 'ready' && message !== undefined ? ['server-notice', line] : undefined;
}

/** The untouched folders have no label and no text; the text of a mix is its snapshot. */
function checkedLine(subject: CheckSubject): Line {
  switch (subject.kind) {
    case 'baseline':
      return {};
    case 'answer': {
      const slot = parseLabel(subject.label)?.slot;
      return { labels: [subject.label], ...(slot === undefined ? {} : { slot }) };
    }
    case 'mix':
      return { text: subject.snapshotId };
  }
}

function userLine(event: RunEvent): Found {
  switch (event.type) {
    case 'steering-received':
      return ['steering', { slots: event.targets ?? [], text: event.text }];
    case 'answer-now-requested':
      return ['answer-now', { slot: event.slot }];
    case 'user-override':
      return ['override', { labels: [event.label], text: event.when }];
    default:
      return undefined;
  }
}

/** A turn that gets nowhere says so; when it loses its tools, only that counts. */
function limitOf({ limit, by }: TurnLimitReached): string {
  return limit === 'soft' && by === 'repeats' ? 'repeats' : limit;
}
