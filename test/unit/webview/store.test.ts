import { beforeEach, describe, expect, test } from 'vitest';
import { createStore } from '../../../webview/store';
import type { Store } from '../../../webview/store';
import type { FromView, ToView } from '../../../src/protocol/webview';
import { answer, started, turn } from '../../webview/fixtures/events';
import { host } from '../../webview/fixtures/hosts';
import { createLog, startedAt } from '../../webview/fixtures/log';
import type { Log } from '../../webview/fixtures/log';
import * as runs from '../../webview/fixtures/runs';

let store: Store;
let sent: FromView[];
let frames: (() => void)[];
let now: number;

beforeEach(() => {
  sent = [];
  frames = [];
  now = startedAt;
  store = createStore({
    post: (message) => sent.push(message),
    onNextFrame: (callback) => frames.push(callback),
    now: () => now,
  });
});

function drawFrame(): void {
  for (const callback of frames.splice(0)) {
    callback();
  }
}

function receive(...messages: readonly ToView[]): void {
  for (const message of messages) {
    store.receive(message);
  }
  drawFrame();
}

function snapshot(log: Log): ToView {
  const state = log.state();
  return { type: 'snapshot', runId: state.runId, state };
}

function events(log: Log, from: number, to = log.events.length): ToView {
  return { type: 'events', runId: 'run-1', events: log.events.slice(from, to) };
}

describe('a run', () => {
  const log = runs.decided();

  test.each([1, 2, 10, 30])('is the same from a snapshot after %i events and the rest', (cut) => {
    receive(snapshot(createLog(log.events.slice(0, cut))));
    for (let at = cut; at < log.events.length; at += 3) {
      receive(events(log, at, at + 3));
    }
    expect(store.run.value).toEqual(log.state());
  });

  test('events that were seen already change nothing', () => {
    receive(snapshot(log));
    receive(events(log, 3, 20));
    expect(store.run.value).toEqual(log.state());
    expect(sent).toEqual([]);
  });

  test('a gap is asked for once, and events are left until the snapshot has come', () => {
    receive(snapshot(createLog(log.events.slice(0, 5))));
    receive(events(log, 7, 9), events(log, 9, 11));
    receive(events(log, 11));
    expect(sent).toEqual([{ type: 'resync', runId: 'run-1' }]);
    expect(store.run.value?.seq).toBe(4);
    receive(snapshot(log));
    expect(store.run.value).toEqual(log.state());
  });

  test('events of another run, or before any snapshot, are left alone', () => {
    receive(events(log, 0));
    expect(store.run.value).toBeNull();
    receive(snapshot(runs.otherRun()));
    receive(events(log, 0));
    expect(store.run.value?.runId).toBe('run-2');
    expect(sent).toEqual([]);
  });

  test('a snapshot that is older than what is shown is late', () => {
    receive(snapshot(log), snapshot(createLog(log.events.slice(0, 5))));
    expect(store.run.value).toEqual(log.state());
  });
});

describe('frames', () => {
  test('messages wait for the next one and are applied in order', () => {
    const log = createLog().at(0, started(), turn(1)).at(1, answer('agent1.1', 'x'));
    store.receive({ type: 'host', host: host({ rev: 1 }) });
    store.receive({ type: 'host', host: host({ rev: 2, unsavedFiles: 9 }) });
    store.receive(snapshot(log));
    expect([store.host.value, frames.length]).toEqual([null, 1]);
    drawFrame();
    expect(store.host.value?.unsavedFiles).toBe(9);
    expect(store.run.value?.seq).toBe(2);
  });

  test('a page that draws none does not collect messages without end', () => {
    for (let rev = 1; rev <= 500; rev++) {
      store.receive({ type: 'host', host: host({ rev }) });
    }
    expect(store.host.value?.rev).toBe(500);
  });

  test('a ping is answered at once', () => {
    store.receive({ type: 'ping', nonce: 3 });
    expect(sent).toEqual([{ type: 'pong', nonce: 3 }]);
  });
});

test('the clock follows the one that stamps the events', () => {
  const log = runs.drafting();
  receive(snapshot(createLog(log.events.slice(0, 4))));
  now = startedAt + 34_000 - 7_200_000;
  receive(events(log, 4));
  expect(store.clockOffset.value).toBe(-7_200_000);
});

test('what is announced belongs to events, never to a snapshot of the past', () => {
  const log = runs.won();
  receive(snapshot(runs.voting()));
  expect(store.announcements.value).toEqual([]);
  receive(events(log, runs.voting().events.length));
  expect(store.announcements.value).toEqual([
    'agent2.2 won with 2 of 3 votes. 3 changed files to review.',
  ]);
});
