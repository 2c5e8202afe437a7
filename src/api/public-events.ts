import type { Label, Slot } from '../base/ids';
import { parseLabel } from '../base/ids';
import type { RecordedEvent, RunEvent as OwnEvent } from '../run/events';
import type { ErrorInfo } from '../run/facts';
import type { RunState } from '../run/state';
import type { ErrorFacts } from './contract';
import type { Happening, RunEvent } from './event-contract';

type IdOf = (slot: Slot) => string;

/** Puts the events of one run into the words of callers; most of what the log keeps is the engine's own business. */
export class EventTeller {
  /** Commands that were asked about, by the id of the question. */
  readonly #commands = new Map<string, string>();

  /** `state`: that after the events, or any of the same run. */
  tell(events: readonly RecordedEvent[], state: Pick<RunState, 'agents'>): readonly RunEvent[] {
    return events.flatMap(({ seq, at, event }) => {
      const told = this.#tell(event, (slot) => agentId(state, slot));
      return told === undefined ? [] : [{ seq, at, ...told }];
    });
  }

  #tell(event: OwnEvent, idOf: IdOf): Happening | undefined {
    return (
      aboutTurns(event, idOf) ??
      aboutVotes(event, idOf) ??
      aboutTheRun(event, idOf) ??
      this.#aboutCommands(event, idOf)
    );
  }

  #aboutCommands(event: OwnEvent, idOf: IdOf): Happening | undefined {
    if (event.type === 'approval-requested') {
      this.#commands.set(event.approvalId, event.command);
    }
    if (event.type !== 'approval-resolved') {
      return undefined;
    }
    const { slot, approvalId, decision } = event;
    const command = this.#commands.get(approvalId) ?? '';
    this.#commands.delete(approvalId);
    return {
      ...{ type: 'command-decided', agent: idOf(slot), command },
      isAllowed: decision !== 'deny',
    };
  }
}

/** The configured id of the agent at a slot. */
export function agentId({ agents }: Pick<RunState, 'agents'>, slot: Slot): string {
  return agents[slot - 1]?.info.id ?? `agent${slot}`;
}

export function authorOf(label: Label): Slot {
  return parseLabel(label)?.slot ?? 0;
}

export function errorFacts({ code, message, hint }: ErrorInfo): ErrorFacts {
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

function aboutTurns(event: OwnEvent, idOf: IdOf): Happening | undefined {
  switch (event.type) {
    case 'text-delta': {
      const { slot, text, isThinking = false } = event;
      return { type: 'text', agent: idOf(slot), text, isThinking };
    }
    case 'tool-call-started': {
      const { slot, tool, subject } = event;
      return { type: 'tool-started', agent: idOf(slot), tool, subject };
    }
    case 'tool-call-ended': {
      const { slot, tool, isError, preview } = event;
      return { type: 'tool-ended', agent: idOf(slot), tool, isError, preview };
    }
    case 'agent-failed':
      return { type: 'agent-failed', agent: idOf(event.slot), error: errorFacts(event.error) };
    default:
      return undefined;
  }
}

function aboutVotes(event: OwnEvent, idOf: IdOf): Happening | undefined {
  switch (event.type) {
    case 'answer-submitted': {
      const { slot, label, text, changes } = event;
      const files = changes.map(({ root, path }) => ({ root, path }));
      return { type: 'answer', agent: idOf(slot), label, text, files };
    }
    case 'vote-cast': {
      const { slot, target, reason } = event;
      const votedFor = idOf(authorOf(target));
      return { type: 'vote', agent: idOf(slot), votedFor, label: target, reason };
    }
    case 'votes-voided':
      return { type: 'votes-void', agents: event.voters.map(idOf) };
    case 'final-agent-selected': {
      const { winner, agreement } = event;
      return {
        type: 'decided',
        winner: winner === null ? null : { agent: idOf(winner.slot), label: winner.label },
        decidedBy: agreement.decidedBy,
      };
    }
    case 'final-answer':
      return { type: 'final-answer', agent: idOf(event.slot), text: event.text };
    default:
      return undefined;
  }
}

function aboutTheRun(event: OwnEvent, idOf: IdOf): Happening | undefined {
  switch (event.type) {
    case 'run-started': {
      const { runId, task, agents, contextRoots } = event;
      return {
        ...{ type: 'started', runId, task },
        agents: agents.map(({ slot, backend, model }) => ({ id: idOf(slot), backend, model })),
        folders: contextRoots.map(({ name, path }) => ({ name, path })),
      };
    }
    case 'checks-ended': {
      const { subject, report } = event;
      const failed = report.results.filter(({ status }) => status !== 'passed');
      return {
        type: 'checks-ended',
        label: subject.kind === 'answer' ? subject.label : null,
        failed: failed.map(({ name }) => name),
      };
    }
    case 'orchestration-restarted':
      return { type: 'restart', attempt: event.attempt, reason: event.reason };
    case 'warning-raised':
      return { type: 'warning', code: event.code, message: event.message };
    case 'change-set-ready': {
      const files = event.files.map(({ root, path, kind }) => ({ root, path, kind }));
      return { type: 'changes', files };
    }
    case 'run-ended':
      return { type: 'ended', outcome: event.outcome };
    default:
      return undefined;
  }
}
