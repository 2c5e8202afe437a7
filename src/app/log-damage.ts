import type { PayloadStore } from '../core/ports/payload-store';
import type { RecordedEvent } from '../run/events';

/** What of a recorded run is not there any more. */
export interface LogDamage {
  readonly unreadableLines: number;
  readonly missingEvents: number;
  /** Number of the first event that is missing. */
  readonly firstMissing: number | null;
}

/** Events are numbered without gaps, so what is missing shows. */
export function damageOf(events: readonly RecordedEvent[], unreadableLines: number): LogDamage {
  let next = 0;
  let missingEvents = 0;
  let firstMissing: number | null = null;
  for (const { seq } of events) {
    if (seq > next) {
      firstMissing ??= next;
      missingEvents += seq - next;
    }
    next = seq + 1;
  }
  return { unreadableLines, missingEvents, firstMissing };
}

/** How many of the texts that the events name are not kept beside the log, or not with their bytes. */
export function missingTexts(
  events: readonly RecordedEvent[],
  payloads: Pick<PayloadStore, 'get'>,
): number {
  const named = new Map<string, number>();
  events.forEach(({ event }) => collectTexts(event, named));
  return [...named].filter(([sha256, bytes]) => payloads.get({ sha256, bytes }) === undefined)
    .length;
}

function collectTexts(value: unknown, into: Map<string, number>): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if (
    'sha256' in value &&
    typeof value.sha256 === 'string' &&
    'bytes' in value &&
    typeof value.bytes === 'number'
  ) {
    into.set(value.sha256, value.bytes);
    return;
  }
  Object.values(value).forEach((member: unknown) => collectTexts(member, into));
}

/** One sentence for people; `null` when all is there. */
export function damageText(damage: LogDamage, texts: number): string | null {
  const { unreadableLines, missingEvents, firstMissing } = damage;
  const parts = [
    ...(unreadableLines > 0
      ? [`${some(unreadableLines, 'line of its log is', 'lines of its log are')} unreadable`]
      : []),
    ...(missingEvents > 0
      ? [
          `${some(missingEvents, 'event is', 'events are')} missing from event ${firstMissing ?? 0} on`,
        ]
      : []),
    ...(texts > 0 ? [`${some(texts, 'text', 'texts')} beside its log cannot be read`] : []),
  ];
  return parts.length === 0 ? null : `The record of this run is damaged: ${parts.join(', ')}.`;
}

function some(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
