import { agentName } from '../run/selectors/names';
import { counted, formatElapsed } from '../run/selectors/formats';
import { selectTimeline } from '../run/selectors/timeline';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RecordedEvent } from '../run/events';
import type { RunState } from '../run/state';
import { language } from './language';
import { styled, type Style, type Terminal } from './terminal';
import { timelineStyles, timelineText } from './timeline-text';

type Approval = Extract<RecordedEvent['event'], { type: 'approval-requested' }>;

/** Prints a run as it happens: a line for each row of the timeline and for each command that is asked for. */
export class RunPrinter {
  readonly #terminal: Terminal;
  readonly #asked = new Map<string, Approval>();
  #printedSeq = -1;
  refusedCommands = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** `events` may be empty: then only what the state knows is printed. Each row is printed once. */
  update(events: readonly RecordedEvent[], state: RunState): void {
    for (const { at, event } of events) {
      if (event.type === 'approval-requested') {
        this.#asked.set(event.approvalId, event);
      } else if (event.type === 'approval-resolved') {
        const isAllowed = event.decision !== 'deny';
        // What a person denied needs no hint how to be asked.
        this.refusedCommands += isAllowed || event.by === 'user' ? 0 : 1;
        this.#printCommand(event.approvalId, isAllowed, at - state.startedAt);
      } else if (event.type === 'tool-server-changed' && event.status === 'ready') {
        const count = counted(event.tools?.length ?? 0, 'tool', 'tools');
        const text = ` has ${count} of ${revealOnOneLine(event.server)}`;
        this.#print(formatElapsed(at - state.startedAt), event.slot, text, 'dim');
      }
      this.#printRows(state);
    }
    this.#printRows(state);
  }

  #printRows(state: RunState): void {
    for (const entry of state.timeline) {
      if (entry.seq > this.#printedSeq) {
        this.#printedSeq = entry.seq;
        const [row] = selectTimeline({ ...state, timeline: [entry] }, language);
        if (row !== undefined) {
          this.#print(row.time, row.slot, timelineText(row).text, timelineStyles[row.icon]);
        }
      }
    }
  }

  #printCommand(approvalId: string, isAllowed: boolean, elapsedMs: number): void {
    const asked = this.#asked.get(approvalId);
    if (asked === undefined) {
      return;
    }
    const command = revealOnOneLine(asked.command);
    const text = isAllowed ? ` runs: ${command}` : ` may not run: ${command}`;
    const style = isAllowed ? 'dim' : 'yellow';
    this.#print(formatElapsed(elapsedMs), asked.slot, text, style);
  }

  #print(time: string, slot: number | null, text: string, style: Style | undefined): void {
    const who = slot === null ? '' : agentName(slot);
    const line = style === undefined ? text : styled(text, style, this.#terminal);
    this.#terminal.write(
      `${styled(time.padStart(7), 'dim', this.#terminal)}  ${styled(who, 'bold', this.#terminal)}${line}\n`,
    );
  }
}
