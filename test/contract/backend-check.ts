// The form of what every adapter must show. It knows no test runner, because one of the adapters runs in the editor alone.
import * as assert from 'node:assert/strict';
import type { Clock } from '../../src/core/ports/clock';
import type { BackendPart, ModelRequest, ToolCall } from '../../src/core/ports/model-backend';
import {
  type BackendStage,
  type BackendUnderTest,
  callsOf,
  collect,
  endOf,
  requestFor,
  systemClock,
} from './backend-kit';
import { type Situation, situations } from './situations';

export interface BackendCheck {
  /** Says what is shown and when. */
  readonly title: string;
  /** Why the adapter of this stage cannot be in the situation; `undefined` when it can. */
  readonly reasonAgainst: (stage: BackendStage) => string | undefined;
  /** Rejects when the adapter does not behave so. */
  readonly run: (stage: BackendStage) => Promise<void>;
}

/** One adapter in one situation. */
export interface Play<Time extends Clock = Clock> {
  readonly stage: BackendStage;
  readonly staged: BackendUnderTest;
  readonly abort: AbortController;
  readonly clock: Time;
  readonly request: ModelRequest;
  /** Asks for an answer to `request`, or to another one. */
  start(request?: ModelRequest): AsyncIterable<BackendPart>;
  parts(request?: ModelRequest): Promise<BackendPart[]>;
}

export function check(
  situation: Situation,
  behaviour: string,
  show: (play: Play) => Promise<void>,
): BackendCheck {
  return checkIn(() => systemClock, situation, behaviour, show);
}

/** `clockOf` makes the clock that the adapter gets. */
export function checkIn<Time extends Clock>(
  clockOf: () => Time,
  situation: Situation,
  behaviour: string,
  show: (play: Play<Time>) => Promise<void>,
): BackendCheck {
  return {
    title: `${behaviour} (${situations[situation]})`,
    reasonAgainst: (stage) => stage.cannot[situation],
    run: async (stage) => {
      const clock = clockOf();
      const staged = await stage.open(situation === 'pieces' ? 'text' : situation, clock);
      try {
        await show({ stage, ...playOf(staged, situation, clock) });
      } finally {
        await staged.close();
      }
    },
  };
}

function playOf<Time extends Clock>(
  staged: BackendUnderTest,
  situation: Situation,
  clock: Time,
): Omit<Play<Time>, 'stage'> {
  const abort = new AbortController();
  const usual = requestFor(situation);
  const start = (request: ModelRequest = usual): AsyncIterable<BackendPart> =>
    staged.backend.stream(request, abort.signal);
  return {
    ...{ staged, abort, clock, request: usual, start },
    parts: async (request) => collect(start(request)),
  };
}

type Wanted = Pick<ToolCall, 'name' | 'argumentsJson'>;

/** Exactly these calls, in this order; their ids are the service's own. */
export function assertCalls(parts: readonly BackendPart[], wanted: readonly Wanted[]): void {
  const made = callsOf(parts).map(({ name, argumentsJson }) => ({ name, argumentsJson }));
  assert.deepEqual(
    made,
    wanted.map(({ name, argumentsJson }) => ({ name, argumentsJson })),
  );
}

interface Failure {
  readonly code?: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** Part of its message. */
  readonly says?: string;
}

/** The answer ends with an error that is so. */
export function assertFails(parts: readonly BackendPart[], wanted: Failure): void {
  const end = endOf(parts);
  assert.ok(end.reason === 'error', `ends with ${end.reason}`);
  const { says = '', ...members } = wanted;
  for (const [name, value] of Object.entries(members)) {
    assert.deepEqual(Reflect.get(end.error, name), value, `${name} of ${end.error.message}`);
  }
  assert.ok(end.error.message.includes(says), end.error.message);
}
