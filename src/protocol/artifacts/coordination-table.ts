// `coordination_table.txt`: the course of an attempt, one row for each happening and one column for each agent.
import { clip } from '../../base/text';
import type { ArtifactPart, ArtifactSink, Step } from './artifact-part';
import { footerLines } from './table-footer';
import { acrossText, cellOf } from './table-texts';
import { gridLines, type GridRow } from './table-grid';

const legend = [
  'Legend',
  '  USER    the task                   E1, E2 …  happenings in their order',
  '  >       begins a turn              *         new answer, with its label',
  '  v       vote for an answer         x         vote that was not recorded',
  '  +       news put into a turn       !         refused, failed or ended',
  '  =       final answer               #         of the whole team',
  '  agent2.1 is the first answer of agent 2; agent2.vote1 is its first vote.',
  '  A vote is void when a newer answer or another round of voting makes it history.',
  '',
];

/** Who looks at finished work without being of the team. */
const judgeSlot = 0;

/** A table of one attempt. Rows with one text over the whole width concern the team. */
export class CoordinationTable implements ArtifactPart {
  readonly #sink: ArtifactSink;
  readonly #path: string;
  readonly #rows: GridRow[] = [];
  /** Agents whose vote was made void and who have not begun again. */
  readonly #restarting = new Set<number>();
  #happenings = 0;
  #last: Step | undefined;

  constructor(sink: ArtifactSink, attemptDir: string) {
    this.#sink = sink;
    this.#path = `${attemptDir}coordination_table.txt`;
  }

  take(step: Step): void {
    this.#last = step;
    const { after, recorded } = step;
    if (this.#rows.length === 0) {
      this.#rows.push({ name: 'USER', across: clip(after.task, 1_000) });
    }
    const cell = cellOf(recorded.event, step);
    if (cell?.slot === judgeSlot) {
      this.#rows.push({ name: this.#nextName(), across: `# Judge: ${cell.text}` });
    } else if (cell !== undefined) {
      const cells = after.agents.map(({ info }) => (info.slot === cell.slot ? cell.text : ''));
      this.#rows.push({ name: this.#nextName(), cells });
    }
    const across = acrossText(recorded.event, step);
    if (across !== undefined) {
      this.#rows.push({ name: this.#nextName(), across: `# ${across}` });
    }
    this.#followRestarts(step);
  }

  refresh(): void {
    if (this.#last === undefined) {
      return;
    }
    const { after } = this.#last;
    const heads = after.agents.map(({ info }) => `Agent ${info.slot} (${info.id})`);
    const lines = [...legend, ...gridLines(heads, this.#rows), '', ...footerLines(after)];
    this.#sink.replace(this.#path, `${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  }

  #nextName(): string {
    this.#happenings++;
    return `E${this.#happenings}`;
  }

  /** Says when everybody whose vote was made void has begun again. */
  #followRestarts({ recorded: { event } }: Step): void {
    if (event.type === 'votes-voided') {
      event.voters.forEach((slot) => this.#restarting.add(slot));
    } else if (event.type === 'agent-turn-started' && this.#restarting.delete(event.slot)) {
      if (this.#restarting.size === 0) {
        const across = '# Restarts completed: everybody concerned looks again.';
        this.#rows.push({ name: this.#nextName(), across });
      }
    }
  }
}
