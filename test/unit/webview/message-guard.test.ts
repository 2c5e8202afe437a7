import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../../webview/message-guard';
import * as checked from '../../webview/fixtures/checked-runs';
import { blockers, foundChecks, host, hostWithRun } from '../../webview/fixtures/hosts';
import * as more from '../../webview/fixtures/more-runs';
import * as runs from '../../webview/fixtures/runs';

const { gateFailed, manyResults, mixFails, partsDecided } = checked;
const logs = Object.entries({
  ...runs,
  ...more,
  gateFailed,
  manyResults,
  mixFails,
  partsDecided,
}).flatMap(([name, run]) => (typeof run === 'function' ? [{ name, log: run() }] : []));

describe('valid messages pass as they are', () => {
  test.each(logs)('the events and the state of a run: $name', ({ log }) => {
    const events = { type: 'events', runId: 'run-1', events: log.events };
    const snapshot = { type: 'snapshot', runId: 'run-1', state: log.state() };
    expect(parseMessage(events)).toBe(events);
    expect(parseMessage(snapshot)).toBe(snapshot);
  });

  test.each([
    { type: 'host', host: host() },
    { type: 'host', host: hostWithRun({ forecast: null, sampleTask: 'x' }) },
    ...blockers.map((blocker) => ({ type: 'host', host: host({ blocker }) })),
    { type: 'host', host: host({ checks: foundChecks, confinement: 'own processes' }) },
    { type: 'compose', task: '', isFocused: false },
    { type: 'host', host: hostWithRun({ session: more.ofSession }) },
    { type: 'reveal', part: 'what-if' },
    {
      type: 'replay',
      runId: 'run-1',
      events: runs.won().events,
      result: {
        difference: { seq: 3, expected: 'a', actual: 'b' },
        changedFiles: ['status.json'],
      },
    },
    { type: 'ping', nonce: 0 },
  ])('$type', (message) => {
    expect(parseMessage(message)).toBe(message);
  });

  test('an event of a newer version, as the reducer leaves it alone', () => {
    const recorded = { seq: 5, at: 1, event: { type: 'agent-slept', dreams: 3 } };
    const message = { type: 'events', runId: 'r', events: [recorded] };
    expect(parseMessage(message)).toBe(message);
  });
});

describe('everything else is refused', () => {
  test('whatever it is', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        expect(parseMessage(value)).toBeUndefined();
      }),
      { seed: 11 },
    );
  });

  test('a known type with parts that are anything', () => {
    const types = fc.constantFrom(
      ...['host', 'snapshot', 'events', 'compose', 'replay', 'reveal', 'ping', 'constructor'],
    );
    const parts = fc.dictionary(fc.constantFrom('host', 'state', 'runId', 'task'), fc.anything());
    fc.assert(
      fc.property(types, parts, (type, fields) => {
        expect(parseMessage({ ...fields, type })).toBeUndefined();
      }),
      { seed: 11 },
    );
  });

  test.each(logs)('an event of $name without what the panel reads of it', ({ log }) => {
    for (const recorded of log.events) {
      const { type, slot } = { slot: undefined, ...recorded.event };
      const bare = { ...recorded, event: { type } };
      const isEmpty = ['extra-round-started', 'poll-closed', 'tie-broken', 'run-resumed'].includes(
        type,
      );
      const wrongSlot = { ...recorded, event: { ...recorded.event, slot: 'first' } };
      const message = (event: object): object => ({ type: 'events', runId: 'r', events: [event] });
      expect(parseMessage(message(bare)) === undefined, type).toBe(!isEmpty);
      expect(parseMessage(message(wrongSlot)) === undefined, type).toBe(slot !== undefined);
    }
  });

  test('a decision that names no label', () => {
    const message = (path: string): object => ({
      type: 'events',
      runId: 'r',
      events: [{ seq: 1, at: 1, event: { type: 'votes-voided', cause: path, voters: [1] } }],
    });
    expect(parseMessage(message('agent1.1'))).toBeDefined();
    expect(parseMessage(message('agent1'))).toBeUndefined();
    expect(parseMessage(message('constructor'))).toBeUndefined();
  });
});
