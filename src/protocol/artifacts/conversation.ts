// `context.txt` and `update_message.txt`: what an agent had been told when it acted.
import type { Slot } from '../../base/ids';
import type { PayloadRef } from '../../run/facts';
import type { RunState } from '../../run/state';
import type { Step } from './artifact-part';

/** Texts that the log names by their hash; `undefined` when one is gone. */
export interface PayloadReader {
  get(ref: PayloadRef): string | undefined;
}

/** Keeps the present conversation of each agent. */
export class Conversations {
  readonly #payloads: PayloadReader;
  readonly #texts = new Map<Slot, string>();

  constructor(payloads: PayloadReader) {
    this.#payloads = payloads;
  }

  take({ recorded: { event }, before, after }: Step): void {
    switch (event.type) {
      case 'agent-turn-started':
      case 'final-presentation-started':
      case 'evaluation-started': {
        const shown = after.agents[event.slot - 1]?.turn?.shown ?? [];
        this.#texts.set(event.slot, openingWithoutPrompt(before, shown));
        return;
      }
      case 'turn-opened': {
        const prompt = this.#payloads.get(event.prompt);
        if (prompt !== undefined) {
          this.#texts.set(event.slot, promptText(prompt));
        }
        return;
      }
      case 'update-delivered':
        this.#add(event.slot, 'New answers', answersText(before, event.labels));
        return;
      case 'protocol-error':
        this.#add(event.slot, 'Refused', event.message);
        return;
      case 'steering-delivered': {
        const texts = before.steering.filter(({ id }) => event.ids.includes(id));
        this.#add(event.slot, 'Message of the user', texts.map(({ text }) => text).join('\n\n'));
        return;
      }
      case 'model-call-ended':
        if (event.text !== '') {
          this.#add(event.slot, 'The agent', event.text);
        }
        return;
      default:
    }
  }

  of(slot: Slot): string {
    return this.#texts.get(slot) ?? '';
  }

  #add(slot: Slot, heading: string, text: string): void {
    this.#texts.set(slot, `${this.of(slot)}${section(heading, text)}`);
  }
}

/** The newest answers by label, as text. */
export function answersText(state: RunState, labels: readonly string[]): string {
  return state.agents
    .flatMap(({ revisions }) => revisions)
    .filter(({ label }) => labels.includes(label))
    .map(({ label, text }) => `<${label}>\n${text}\n</${label}>`)
    .join('\n\n');
}

function section(heading: string, text: string): string {
  return `## ${heading}\n\n${text.trimEnd()}\n\n`;
}

/** A log without prompts still says what was shown. */
function openingWithoutPrompt(state: RunState, shown: readonly string[]): string {
  const answers = answersText(state, shown);
  return section('Task', state.task) + (answers === '' ? '' : section('Answers', answers));
}

function promptText(json: string): string {
  const value = parsed(json);
  const [system, message] = [value?.['system'], value?.['message']];
  return value === undefined
    ? section('Prompt', json)
    : [section('System', textOf(system)), section('Message', textOf(message))].join('');
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '', undefined, 2);
}
