import type { StartRunRequest } from '../app/app-contract';
import { toEventLine } from '../protocol/artifacts/event-line';
import { toOutputLine } from '../protocol/output-line';
import type { RecordedEvent } from '../run/events';
import { apply } from '../run/reducer';
import type { RunState } from '../run/state';
import type { Ending, Places, ScriptOutput } from './script-output';
import { systemClock } from './system-clock';
import type { Terminal } from './terminal';

/** Every event of a run as a line of JSON, as it comes, between one line that says where its files are and a last one. */
export class AutomationStream implements ScriptOutput {
  readonly #output: Terminal;
  #state: RunState | undefined;
  /** Those before the first line has been written. */
  #held: RecordedEvent[] | undefined = [];

  constructor(output: Terminal) {
    this.#output = output;
  }

  readonly onEvents: NonNullable<StartRunRequest['onEvents']> = (events) => {
    if (this.#held !== undefined) {
      this.#held.push(...events);
      return;
    }
    this.#writeEvents(events);
  };

  begin(_task: string, { logDir, statusFile, inbox }: Places): void {
    const places = {
      log_dir: logDir ?? null,
      status: statusFile ?? null,
      runtime_inbox: inbox ?? null,
    };
    this.#write(toOutputLine('output_started', systemClock.now(), places));
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#writeEvents(held);
  }

  follow(): void {
    // The events come from the start of the run on.
  }

  end({ state, now, exitCode, outputFile }: Ending): void {
    const result = {
      exit_code: exitCode,
      outcome: state.outcome,
      winner: state.selection?.winner?.label ?? null,
      answer: state.finalAnswer?.text ?? null,
      output_file: outputFile ?? null,
    };
    this.#write(toOutputLine('output_ended', now, result));
  }

  #writeEvents(events: readonly RecordedEvent[]): void {
    for (const recorded of events) {
      const after = apply(this.#state, recorded);
      this.#write(toEventLine(recorded, this.#state ?? after));
      this.#state = after;
    }
  }

  #write(line: object): void {
    this.#output.write(`${JSON.stringify(line)}\n`);
  }
}
