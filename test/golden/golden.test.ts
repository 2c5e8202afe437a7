// Whole runs as they were logged. `UPDATE_GOLDEN=1` plays them again and writes what came out; the difference is then
// reviewed like code.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStatusJson } from '../../src/protocol/status-json';
import { talliesOf } from '../support/tallies';
import type { RecordedEvent } from '../../src/run/events';
import { apply, initialState } from '../../src/run/reducer';
import type { RunState } from '../../src/run/state';
import { goldenRuns } from './scripts';

const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const here = import.meta.dirname;

const pretty = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
const toLines = (events: readonly RecordedEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
const fromLines = (text: string): RecordedEvent[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);

function replay(events: readonly RecordedEvent[], from: RunState = initialState): RunState {
  return events.reduce(apply, from);
}

function timeline(state: RunState): string {
  return state.timeline
    .map(({ seq, kind, slot, labels, slots, text }) => {
      const who = slot === null ? 'team' : `agent${slot}`;
      const about = [...labels, ...slots.map((other) => `agent${other}`)].join(' ');
      return `${`${seq}`.padStart(3)} ${who.padEnd(7)}${kind.padEnd(15)}${about}${text === '' ? '' : ` | ${text}`}`;
    })
    .join('\n')
    .concat('\n');
}

/** What each kept log stands for, in files that people read. */
const outputs: Readonly<
  Record<string, (state: RunState, events: readonly RecordedEvent[]) => string>
> = {
  'state.json': (state) => pretty(state),
  'timeline.txt': timeline,
  'status.json': (state, events) => {
    const tallies = talliesOf(events);
    return pretty(
      toStatusJson(state, state.lastEventAt + 1_000, { logDir: '/runs/run-1', tallies }),
    );
  },
};

describe.each(Object.entries(goldenRuns))('the run "%s"', (name, play) => {
  const file = (base: string): string => join(here, name, base);
  const kept = (): RecordedEvent[] => fromLines(readFileSync(file('events.jsonl'), 'utf8'));

  it('is logged as before when it is played again', async () => {
    const events = toLines((await play()).events);
    if (isUpdate) {
      mkdirSync(join(here, name), { recursive: true });
      writeFileSync(file('events.jsonl'), events);
    }
    expect(events).toBe(readFileSync(file('events.jsonl'), 'utf8'));
  });

  it.each(Object.entries(outputs))('gives the kept %s', (base, output) => {
    const text = output(replay(kept()), kept());
    if (isUpdate) {
      writeFileSync(file(base), text);
    }
    expect(text).toBe(readFileSync(file(base), 'utf8'));
  });

  it('gives the same state when it is reduced in two parts, wherever it is cut', () => {
    const events = kept();
    const whole = replay(events);
    fc.assert(
      fc.property(fc.nat(events.length), (cut) => {
        const snapshot = JSON.parse(JSON.stringify(replay(events.slice(0, cut)))) as RunState;
        expect(replay(events.slice(cut), snapshot)).toEqual(whole);
      }),
      { seed: 11 },
    );
  });
});

it('every kept run is one that can be played again', () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(goldenRuns).sort());
});
