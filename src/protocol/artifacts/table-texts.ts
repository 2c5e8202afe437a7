// The texts of `coordination_table.txt`: what a cell of an agent says, and what stands over the whole width.
import type { Slot } from '../../base/ids';
import { clip } from '../../base/text';
import type { RunEvent } from '../../run/events';
import { counted } from '../../run/selectors/formats';
import { selectReason } from '../../run/selectors/verdict';
import type { Step } from './artifact-part';

interface Cell {
  readonly slot: Slot;
  readonly text: string;
}

/** `undefined` for events that do not concern one agent, or not the reader of a table. */
export function cellOf(event: RunEvent, { before }: Step): Cell | undefined {
  if (!isOfAgent(event)) {
    return undefined;
  }
  const text = cellText(event, before.agents[event.slot - 1]?.turnNo ?? 0);
  return text === undefined ? undefined : { slot: event.slot, text };
}

type AgentEvent = Extract<RunEvent, { readonly slot: Slot }>;

function isOfAgent(event: RunEvent): event is AgentEvent {
  return 'slot' in event;
}

function cellText(event: AgentEvent, turnsBefore: number): string | undefined {
  switch (event.type) {
    case 'agent-turn-started': {
      const shown = event.shown.length === 0 ? 'the task' : event.shown.join(', ');
      return `> ${turnsBefore === 0 ? 'starts' : 'starts again'} with ${shown}`;
    }
    case 'answer-submitted': {
      const files = event.changes.length;
      const changed = files === 0 ? '' : ` (${counted(files, 'file', 'files')} changed)`;
      return `* new answer ${event.label}${changed}\n${preview(event.text)}`;
    }
    case 'vote-cast': {
      const uninformed = event.isInformed ? '' : ' (had not seen every answer)';
      return `v ${event.ballotId} for ${event.target}${uninformed}\n${preview(event.reason)}`;
    }
    case 'vote-ignored':
      return `x vote for ${event.target} not recorded: not seen ${event.unseen.join(', ')}`;
    case 'update-delivered':
      return `+ news: ${event.labels.join(', ')}`;
    case 'steering-delivered':
      return '+ message of the user';
    case 'final-presentation-started':
      return `> writes the final answer from ${event.label}`;
    case 'evaluation-started':
      return '> looks at the finished work';
    case 'final-answer':
      return `= final answer (${event.source} from ${event.label})\n${preview(event.text)}`;
    default:
      return troubleText(event);
  }
}

function troubleText(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'protocol-error':
      return `! refused: ${event.code}`;
    case 'turn-failed':
      return `! turn failed (${event.cause}): ${preview(event.error.message)}`;
    case 'agent-failed':
      return `! takes no further part: ${preview(event.error.message)}`;
    case 'agent-cancelled':
      return `! stopped: ${event.reason}`;
    case 'agent-abstained':
      return 'v abstains';
    case 'agent-held':
      return `! held back: ${event.reason}`;
    case 'agent-stopped':
      return `! has done its part: ${event.status}\n${preview(event.summary)}`;
    case 'turn-limit-reached':
      return `! time of the turn is over (${event.limit}, by ${event.by})`;
    case 'agent-revived':
      return '> may try again';
    default:
      return undefined;
  }
}

/** `undefined` for events that concern one agent. */
export function acrossText(event: RunEvent, { after }: Step): string | undefined {
  switch (event.type) {
    case 'votes-voided': {
      const who = event.voters.map((slot) => `agent${slot}`).join(', ');
      return event.cause.startsWith('agent')
        ? `Restart triggered by ${event.cause}: void is the vote of ${who}.`
        : `Another round of voting (${event.cause}): void is the vote of ${who}.`;
    }
    case 'runoff-started':
    case 'dual-pass-started': {
      const between = event.candidates.map((slot) => `agent${slot}`).join(', ');
      const what = event.type === 'runoff-started' ? 'Runoff' : 'Second comparison';
      return `${what} between ${between}.`;
    }
    case 'poll-closed':
      return `Voting is over (${event.cause}): ${event.ballots} of ${event.eligible} have voted.`;
    case 'final-agent-selected':
      return `${winnerText(event.winner, after)} ${selectReason(after) ?? ''}`.trimEnd();
    case 'tie-broken':
      return `Tie of ${event.tied.join(', ')} decided by ${event.element}: ${event.winner}.`;
    case 'user-override':
      return `The user chooses ${event.label}.`;
    default:
      return teamText(event);
  }
}

function teamText(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'extra-round-started':
      return 'One more round of answers and votes.';
    case 'judge-asked':
      return `A judge is asked about ${event.candidates.map((slot) => `agent${slot}`).join(', ')}.`;
    case 'judge-decided':
      return event.label === null
        ? 'The judge gave no valid decision.'
        : `The judge chooses ${event.label}. ${preview(event.reason)}`;
    case 'cap-reached':
      return `Cap reached: ${event.cap}.`;
    case 'steering-received':
      return `Message of the user: ${preview(event.text)}`;
    case 'evaluation-ended':
      return `Evaluation (${event.by}): ${event.decision}. ${preview(event.reason)}`.trimEnd();
    case 'orchestration-restarted':
      return `Attempt ${event.attempt} begins. ${preview(event.reason)}`.trimEnd();
    case 'run-resumed':
      return 'The run goes on after it was cut off.';
    case 'run-ended':
      return `The run is over: ${event.outcome}.`;
    default:
      return undefined;
  }
}

function winnerText(
  winner: { readonly slot: Slot; readonly label: string } | null,
  { agents }: Step['after'],
): string {
  return winner === null
    ? 'No answer is chosen.'
    : `Chosen: ${winner.label} of ${agents[winner.slot - 1]?.info.id ?? ''}.`;
}

function preview(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), 160);
}
