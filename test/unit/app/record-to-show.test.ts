// What of a run's log may be shown to others.
import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { recordToShow } from '../../../src/app/record-to-show';
import type { ShownRecord } from '../../../src/app/app-contract';
import { createRedactor } from '../../../src/logging/redactor';
import type { RecordedEvent, RunEvent } from '../../../src/run/events';
import { startedBy } from '../../support/engine';

const service = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';
const plain = 'let-me-in-please-0042';
const where = { slot: 1, turnNo: 1, call: 1 };

async function shown(
  events: readonly RunEvent[],
  { limit = 1_000_000, skippedLines = 0 } = {},
): Promise<ShownRecord> {
  const redactor = createRedactor();
  const log: readonly RecordedEvent[] = events.map((event, seq) => ({ seq, at: 1_000, event }));
  const services = {
    redactor,
    store: { read: async () => ({ events: log, skippedLines }) },
    secrets: {
      async get(name: string): Promise<string | undefined> {
        if (name === 'SERVICE_KEY') redactor.add(plain);
        return undefined;
      },
    },
  } as unknown as Parameters<typeof recordToShow>[0];
  const runId = 'run-1';
  return recordToShow(services, { runId, limit }, new AbortController().signal);
}

const started = { ...startedBy({ count: 2 }), runId: 'run-1' };

function delta(text: string, isThinking = false): RunEvent {
  return { type: 'text-delta', ...where, text, ...(isThinking ? { isThinking } : {}) };
}

function ended(text: string): RunEvent {
  return {
    type: 'model-call-ended',
    ...where,
    text,
    toolCalls: [{ id: 'c1', name: 'write_file', argumentsJson: '{"content":"whole file"}' }],
    usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
    costUsd: 0,
  };
}

const textOf = ({ events }: ShownRecord): string => JSON.stringify(events);

describe('the record of a run for others', () => {
  it('is without keys of services, keys that it names, and the home of the user', async () => {
    const record = await shown([
      { ...started, task: `Use ${service} in ${homedir()}/project` },
      ended(`SERVICE_KEY is ${plain}, kept in ${JSON.stringify(homedir())}`),
    ]);
    const text = textOf(record);
    for (const secret of [service, plain, homedir()]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('Use [secret removed] in ~/project');
    expect(record.task).toBe('Use [secret removed] in ~/project');
    expect(record.redactions).toBeGreaterThanOrEqual(4);
  });

  it('is without a secret that came in pieces', async () => {
    const [first, second] = [service.slice(0, 12), service.slice(12)];
    const record = await shown([
      started,
      delta(`My key is ${first}`),
      delta('I must not say it', true),
      delta(`${second}, see?`),
      delta(' Fine.'),
    ]);
    expect(textOf(record)).not.toContain(second);
    expect(record.events.slice(1).map(({ event }) => event)).toEqual([
      delta('My key is [secret removed], see? Fine.'),
      delta('I must not say it', true),
      delta(''),
      delta(''),
    ]);
  });

  it('leaves pieces without a secret as they came', async () => {
    const pieces = [delta('One '), delta('two '), delta('three')];
    const record = await shown([started, ...pieces]);
    expect(record.events.slice(1).map(({ event }) => event)).toEqual(pieces);
    expect(record.redactions).toBe(0);
  });

  it('is without what nothing on the page shows', async () => {
    const record = await shown([started, ended('Done.')]);
    expect(textOf(record)).not.toContain('whole file');
  });

  it('tells whether the run has ended and what of its log could not be read', async () => {
    expect((await shown([started])).hasEnded).toBe(false);
    const over = await shown([started, { type: 'run-ended', outcome: 'completed' }], {
      skippedLines: 2,
    });
    expect(over).toMatchObject({ hasEnded: true, total: 2 });
    expect(over.leftOut).toEqual(['2 unreadable lines of its log are left out.']);
  });

  it('is refused for a log of something else', async () => {
    await expect(shown([delta('x')])).rejects.toMatchObject({ code: 'storage/corrupt' });
    await expect(shown([{ ...started, runId: 'run-2' }])).rejects.toMatchObject({
      code: 'storage/corrupt',
    });
  });
});

describe('the size of the record', () => {
  const long = 'x'.repeat(3_000);
  const events = [started, delta(long), delta(long), ended(long), ended(long), ended(long)];
  const sizeAt = async (limit: number): Promise<number> =>
    textOf(await shown(events, { limit })).length;

  it('loses first what was written along the way, and says so', async () => {
    const record = await shown(events, { limit: 14_000 });
    expect(record.events).toHaveLength(4);
    expect(record.leftOut).toEqual(['What agents wrote along the way is left out (2 pieces).']);
    expect(record.total).toBe(6);
  });

  it('then long texts, then the end, and stays within the limit', async () => {
    const cut = await shown(events, { limit: 9_500 });
    expect(cut.events).toHaveLength(4);
    expect(cut.leftOut.at(-1)).toBe('Texts are cut after 2000 characters.');
    const short = await shown(events, { limit: 6_500 });
    expect(short.leftOut.at(-1)).toMatch(/^The last \d events? (is|are) left out\.$/);
    expect(short.events[0]?.event).toMatchObject({ type: 'run-started' });
    for (const limit of [14_000, 9_500, 6_500]) {
      expect(await sizeAt(limit)).toBeLessThanOrEqual(limit + 2);
    }
  });

  it('always has the beginning', async () => {
    expect((await shown(events, { limit: 1 })).events).toHaveLength(1);
  });
});
