import type { Label, Slot } from '../../../src/base/ids';
import type { RecordedEvent, RunEvent } from '../../../src/run/events';
import type { Agreement } from '../../../src/run/facts';
import { agentLetter } from './notation';
import type { Source } from './player';

/** The lines of one event; most events have none. */
export function traceLines(recorded: RecordedEvent, source: Source): readonly string[] {
  const { at, event } = recorded;
  const said = sayingOf(event, source.reporting);
  // The last fault of a turn is not retried, so that only the failure tells of it.
  const isLastFault = event.type === 'turn-failed' && source.action?.kind === 'transient';
  const fault = isLastFault ? [`${agentLetter(event.slot)} transient`] : [];
  return [...fault, ...(said === undefined ? [] : [said])].map((line) => `${at} ${line}`);
}

function sayingOf(event: RunEvent, reporting: Slot | null): string | undefined {
  switch (event.type) {
    case 'votes-voided':
      return event.cause === 'runoff' || event.cause === 'extra_round'
        ? undefined
        : `void[${event.voters.map(agentLetter).sort().join(',')}]`;
    case 'runoff-started':
      return `runoff[${[...event.candidates].sort().join(',')}]`;
    case 'extra-round-started':
      return 'extra-round';
    case 'final-agent-selected': {
      const winner = event.winner === null ? 'None' : short(event.winner.label);
      return `end winner=${winner} by=${event.agreement.decidedBy}`;
    }
    default: {
      const said = agentSaying(event, reporting);
      return said === undefined || !('slot' in event)
        ? undefined
        : `${agentLetter(event.slot)} ${said}`;
    }
  }
}

function agentSaying(event: RunEvent, reporting: Slot | null): string | undefined {
  switch (event.type) {
    case 'answer-submitted':
      return `answer ${short(event.label)}`;
    case 'vote-cast':
      return `vote ${short(event.target)}${event.isInformed ? '' : ' uninformed'}`;
    case 'vote-ignored':
      return `stale-vote(${event.target.replace(/^agent/, '')})`;
    case 'update-delivered':
      return `update[${event.labels.map(short).sort().join(',')}]`;
    case 'agent-turn-ended':
      return event.outcome === 'restarted' && event.slot === reporting ? 'turn-restart' : undefined;
    case 'tool-round-ended':
      return event.tools.map((tool) => `tool(${tool})`).join(' ');
    case 'protocol-error':
      return `error(${event.code})`;
    case 'backend-retried':
      return 'transient';
    case 'turn-failed':
      return `turn-failed(${event.cause})`;
    case 'agent-failed':
      return 'failed';
    case 'agent-abstained':
      return 'abstain';
    case 'agent-stopped':
      return `stop(${event.by === 'limit' ? 'auto' : event.status})`;
    case 'agent-held':
      return event.reason === 'fairness' ? 'hold(fairness)' : undefined;
    default:
      return undefined;
  }
}

function short(label: Label): string {
  return label.replace(/^agent/, '');
}

/** Votes per slot, e.g. `1:2,3:1`. */
export function tallyText(agreement: Agreement): string {
  const parts = Object.entries(agreement.votes).map(
    ([label, votes]) => `${label.replace(/^agent(\d+)\..*$/, '$1')}:${votes}`,
  );
  return parts.length === 0 ? 'none' : parts.join(',');
}

export function callsText(calls: readonly number[]): string {
  return calls.map((count, index) => `${agentLetter(index + 1)}:${count}`).join(',');
}
