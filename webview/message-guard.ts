// Every message from outside is checked here; what passes is trusted afterwards.
import { eventSince } from '../src/run/events';
import type { ToView } from '../src/protocol/webview';
import { isEvent } from './event-guard';
import { isCaps } from './fact-guard';
import {
  hasFields,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isPair,
  isString,
  optional,
} from './shapes';
import type { Check } from './shapes';
import { isRunState } from './state-guard';

/** The message, or `undefined` when it is not one this view knows or one of its parts is missing or of the wrong kind. */
export function parseMessage(value: unknown): ToView | undefined {
  return isToView(value) ? value : undefined;
}

function isToView(value: unknown): value is ToView {
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    return false;
  }
  const check = typeof value.type === 'string' ? messages.get(value.type) : undefined;
  return check?.(value) ?? false;
}

const isPermission = isOneOf('read', 'write');

const isBlocker = hasFields({
  kind: isString,
  heading: isString,
  text: isString,
  detail: isListOf(isString),
  actions: isListOf(hasFields({ action: isString, label: isString })),
});

const isTeam = hasFields({
  id: isString,
  name: isString,
  members: isListOf(hasFields({ slot: isNumber, model: isString, provider: isString })),
  decides: isString,
  isScripted: isBoolean,
  isPaid: isBoolean,
  notes: optional(isListOf(isString)),
});

const isHost = hasFields({
  rev: isNumber,
  blocker: isNullOr(isBlocker),
  teams: isListOf(isTeam),
  teamId: isNullOr(isString),
  hasNoModel: isBoolean,
  folders: isListOf(hasFields({ name: isString, path: isString, permission: isPermission })),
  forecast: isNullOr(
    hasFields({
      calls: isPair,
      tokens: isPair,
      costUsd: isNullOr(isPair),
      oneAgentCostUsd: isNullOr(isNumber),
      hasFees: isBoolean,
    }),
  ),
  caps: isCaps,
  unconfinedReason: isNullOr(isString),
  confinement: isNullOr(isString),
  checks: isListOf(
    hasFields({
      name: isString,
      command: isString,
      mode: isOneOf('gate', 'inform'),
      source: isString,
      isOn: isBoolean,
    }),
  ),
  unsavedFiles: isNumber,
  runs: isListOf(
    hasFields({
      runId: isString,
      task: isString,
      mark: isOneOf('running', 'needs-you', 'ended', 'failed', 'stopped'),
    }),
  ),
  shownRunId: isNullOr(isString),
  sampleTask: isNullOr(isString),
  language: isString,
  session: isNullOr(
    hasFields({
      turns: isListOf(hasFields({ turn: isNumber, runId: isString, task: isString })),
      calls: isNumber,
      tokens: isNumber,
      costUsd: isNumber,
      unpricedCalls: isNumber,
    }),
  ),
  file: optional(hasFields({ notes: isListOf(isString) })),
});

/** An event of a newer version passes: the reducer counts it and leaves it alone. */
const isRecordedEvent = hasFields({
  seq: isNumber,
  at: isNumber,
  event: (event) => isUnknownEvent(event) || isEvent(event),
});

function isUnknownEvent(event: unknown): boolean {
  return (
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    typeof event.type === 'string' &&
    !Object.hasOwn(eventSince, event.type)
  );
}

const messages: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['host', hasFields({ host: isHost })],
  ['snapshot', hasFields({ runId: isString, state: isRunState })],
  ['events', hasFields({ runId: isString, events: isListOf(isRecordedEvent) })],
  ['compose', hasFields({ task: isString, isFocused: isBoolean })],
  [
    'replay',
    hasFields({
      runId: isString,
      events: isListOf(isRecordedEvent),
      result: hasFields({
        difference: isNullOr(hasFields({ seq: isNumber, expected: isString, actual: isString })),
        changedFiles: isListOf(isString),
      }),
    }),
  ],
  ['reveal', hasFields({ part: isOneOf('what-if') })],
  ['ping', hasFields({ nonce: isNumber })],
]);
