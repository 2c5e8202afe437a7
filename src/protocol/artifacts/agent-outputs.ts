// `agent_outputs/`: what each agent said, the final text, and the course of the run, as plain text.
import { selectTimeline, type TimelineRow } from '../../run/selectors/timeline';
import { agentName } from '../../run/selectors/names';
import type { ArtifactPart, ArtifactSink, Step } from './artifact-part';

/** Files are the same wherever they are made, so numbers in them do not follow the language of the machine. */
const fileLanguage = 'en';

export class AgentOutputs implements ArtifactPart {
  readonly #sink: ArtifactSink;
  /** Ends with `/`. */
  readonly #dir: string;
  readonly #folders: ReadonlyMap<number, string>;
  #rowSeq = -1;

  constructor(sink: ArtifactSink, attemptDir: string, folders: ReadonlyMap<number, string>) {
    this.#sink = sink;
    this.#dir = `${attemptDir}agent_outputs/`;
    this.#folders = folders;
  }

  take(step: Step): void {
    const { event } = step.recorded;
    switch (event.type) {
      case 'agent-turn-started':
        this.#say(event.slot, `--- turn ${event.turnNo} ---\n`);
        break;
      case 'final-presentation-started':
        this.#say(event.slot, `--- turn ${event.turnNo}, final presentation ---\n`);
        break;
      case 'evaluation-started':
        this.#say(event.slot, `--- turn ${event.turnNo}, evaluation ---\n`);
        break;
      case 'model-call-ended':
        this.#say(event.slot, event.text === '' ? '' : `${event.text.trimEnd()}\n`);
        break;
      case 'tool-call-started':
        this.#say(event.slot, `[${event.tool}] ${event.subject}\n`);
        break;
      case 'tool-call-ended':
        this.#say(event.slot, event.isError ? `[${event.tool}] failed: ${event.preview}\n` : '');
        break;
      case 'answer-submitted':
        this.#say(event.slot, `[new_answer] ${event.label}\n${event.text.trimEnd()}\n`);
        break;
      case 'vote-cast':
        this.#say(event.slot, `[vote] ${event.target} ${event.reason}\n`);
        break;
      case 'final-answer':
        this.#finalText(event.slot, event.text);
        break;
      default:
    }
    this.#status(step);
  }

  #say(slot: number, text: string): void {
    if (text !== '') {
      this.#sink.append(`${this.#dir}${this.#name(slot)}.txt`, text);
    }
  }

  #finalText(slot: number, text: string): void {
    const base = `${this.#dir}final_presentation_${this.#name(slot)}`;
    this.#sink.replace(`${base}.txt`, `${text.trimEnd()}\n`);
    this.#sink.replace(`${base}_latest.txt`, `${text.trimEnd()}\n`);
  }

  #name(slot: number): string {
    return this.#folders.get(slot) ?? 'judge';
  }

  #status({ after }: Step): void {
    const last = after.timeline.at(-1);
    if (last === undefined || last.seq <= this.#rowSeq) {
      return;
    }
    const entries = after.timeline.filter(({ seq }) => seq > this.#rowSeq);
    this.#rowSeq = last.seq;
    const rows = selectTimeline({ ...after, timeline: entries }, fileLanguage);
    const text = rows.map((row) => `${rowText(row)}\n`).join('');
    if (text !== '') {
      this.#sink.append(`${this.#dir}system_status.txt`, text);
    }
  }
}

function rowText({ time, slot, title, verb, label, note, quote }: TimelineRow): string {
  const who = slot === null ? '' : agentName(slot);
  const said = [title, verb, label ?? '', note].filter((part) => part !== '').join(' ');
  const line = [who, said].filter((part) => part !== '').join(': ');
  return `${time.padStart(7)}  ${line}${quote === '' ? '' : `: ${quote.replace(/\s+/g, ' ')}`}`;
}
