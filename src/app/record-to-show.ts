// The record of a run for others to look at: what the panel shows, with secrets and the user's home taken out.
import type { TextDelta } from '../run/call-events';
import type { RecordedEvent } from '../run/events';
import type { RecordRequest, ShownEvent, ShownRecord } from './app-contract';
import { homeForms, NamedKeys, outgoing, type OutgoingServices } from './outgoing-text';
import { withoutBeginning } from './recorded-run';
import type { Services } from './services';
import { withinLimit } from './shown-size';

type RecordServices = OutgoingServices & Pick<Services, 'store'>;

/**
 * Throws `storage/failed` when there is no such run, `storage/corrupt` when its log does not begin with it, and the
 * signal's reason. A run that goes on is read as it stands.
 */
export async function recordToShow(
  services: RecordServices,
  { runId, limit }: RecordRequest,
  signal: AbortSignal,
): Promise<ShownRecord> {
  const { events, skippedLines } = await services.store.read(runId);
  const first = events[0]?.event;
  if (first?.type !== 'run-started' || first.runId !== runId) {
    throw withoutBeginning(runId);
  }
  signal.throwIfAborted();
  const shown = events.map(withoutUnseen);
  const names = new NamedKeys();
  for (const one of shown) {
    names.addFrom(JSON.stringify(one));
  }
  await names.learn(services);
  signal.throwIfAborted();
  const cleaner = new Cleaner(services);
  const cleaned = cleaner.all(shown);
  const bounded = withinLimit(cleaned, limit);
  return {
    ...{ runId, task: cleaner.text(first.task), total: events.length },
    events: bounded.events,
    hasEnded: events.some(({ event }) => event.type === 'run-ended'),
    redactions: cleaner.count,
    leftOut: [
      ...(skippedLines === 0 ? [] : [`${skippedLines} unreadable lines of its log are left out.`]),
      ...bounded.leftOut,
    ],
  };
}

/** What no part of the panel shows does not travel: inputs of decisions, and the arguments of calls, often whole files. */
function withoutUnseen({ seq, at, event }: RecordedEvent): RecordedEvent {
  return {
    seq,
    at,
    event: event.type === 'model-call-ended' ? { ...event, toolCalls: [] } : event,
  };
}

class Cleaner {
  count = 0;
  readonly #services: RecordServices;
  readonly #homes = homeForms();

  constructor(services: RecordServices) {
    this.#services = services;
  }

  all(events: readonly RecordedEvent[]): readonly ShownEvent[] {
    const broken = this.#brokenTexts(events);
    return events.map(({ seq, at, event }) => {
      const text = event.type === 'text-delta' ? broken.get(placeOf(event)) : undefined;
      if (event.type !== 'text-delta' || text === undefined) {
        return { seq, at, event: this.#value(event) };
      }
      broken.set(placeOf(event), '');
      return { seq, at, event: { ...event, text } };
    });
  }

  text(before: string): string {
    const { text, count } = outgoing(this.#services, before, this.#homes);
    this.count += count;
    return text;
  }

  /** Whole texts of calls whose pieces do not show what has to be taken out, because it was cut into two. */
  #brokenTexts(events: readonly RecordedEvent[]): Map<string, string> {
    const pieces = new Map<string, string[]>();
    for (const { event } of events) {
      if (event.type === 'text-delta') {
        const place = placeOf(event);
        const known = pieces.get(place) ?? [];
        known.push(event.text);
        pieces.set(place, known);
      }
    }
    const clean = (text: string): string => outgoing(this.#services, text, this.#homes).text;
    const broken = new Map<string, string>();
    for (const [place, texts] of pieces) {
      const whole = clean(texts.join(''));
      if (whole !== texts.map(clean).join('')) {
        broken.set(place, whole);
        this.count += 1;
      }
    }
    return broken;
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') {
      return this.text(value);
    }
    if (Array.isArray(value)) {
      return value.map((each) => this.#value(each));
    }
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value);
      return Object.fromEntries(fields.map(([name, each]) => [this.text(name), this.#value(each)]));
    }
    return value;
  }
}

function placeOf({ slot, turnNo, call, isThinking }: TextDelta): string {
  return `${slot} ${turnNo} ${call} ${String(isThinking === true)}`;
}
