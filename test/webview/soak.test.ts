// A long run in one page: the text of ten agents and many lines of the timeline. `SOAK_EVENTS` makes it longer.
import { expect, test } from 'vitest';
import type { RecordedEvent, RunEvent } from '../../src/run/events';
import { started, turn } from './fixtures/events';
import { hostWithRun } from './fixtures/hosts';
import { createLog, reduce } from './fixtures/log';
import { launch, openPanel } from './support/panel-page';

const total = Number(process.env['SOAK_EVENTS'] ?? 5_000);
const agents = 10;
const perMessage = 500;
/** Generous: this is about what is right, not about how fast. */
const timeout = 120_000 + total * 10;

/** Text for the most part; every fiftieth event is a line of the timeline. */
function eventNo(i: number): RunEvent {
  const slot = (i % agents) + 1;
  return i % 50 === 0
    ? {
        type: 'protocol-error',
        slot,
        turnNo: 1,
        code: 'unknown_tool',
        attemptNo: 1,
        message: `No ${i}`,
      }
    : { type: 'text-delta', slot, turnNo: 1, call: 1, text: `word${i} ` };
}

test(
  `after ${total} events the page is right, and no larger than its newest part`,
  async () => {
    const slots = Array.from({ length: agents }, (_unused, i) => i + 1);
    const log = createLog().at(0, started({ size: agents }), ...slots.map((slot) => turn(slot)));
    const first = log.events.length;
    const rest = Array.from({ length: total }, (_unused, i): RecordedEvent => ({
      seq: first + i,
      at: Date.now(),
      event: eventNo(i),
    }));
    const browser = await launch();
    const panel = await openPanel(browser, { reducedMotion: true, width: 900 });
    await panel.send(
      { type: 'host', host: hostWithRun() },
      { type: 'snapshot', runId: 'run-1', state: log.state() },
    );
    for (let at = 0; at < rest.length; at += perMessage) {
      await panel.send({ type: 'events', runId: 'run-1', events: rest.slice(at, at + perMessage) });
    }
    const expected = reduce([...log.events, ...rest]);
    const newest = expected.agents.map((agent) => agent.liveText.trim().split(' ').at(-1) ?? '');
    const shown = await panel.page.locator('.live-text').allInnerTexts();
    expect(shown.map((text) => text.trim().split(' ').at(-1))).toEqual(newest);
    expect(await panel.page.locator('.section-note').last().innerText()).toBe(
      `${expected.timeline.length} events`,
    );
    expect(await panel.page.locator('.event').count()).toBeLessThanOrEqual(300);
    expect(await panel.page.locator('*').count()).toBeLessThan(9_000);
    expect(panel.errors).toEqual([]);
    await browser.close();
  },
  timeout,
);
