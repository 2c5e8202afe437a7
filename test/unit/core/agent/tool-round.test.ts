import { describe, expect, it } from 'vitest';
import { runCalls, type ToolRound } from '../../../../src/core/agent/tool-round';
import { MassGenError } from '../../../../src/core/errors';
import type { Tool } from '../../../../src/core/ports/tool';
import type { ObservedEvent } from '../../../../src/run/events';
import { toolOf } from '../../../support/plain-tools';
import { liveSteps } from '../../../../src/core/agent/steps';
import { MemoryPayloads } from '../../../support/memory-payloads';
import { settle, silent } from '../../../support/run-harness';
import { InMemoryWorkspaces } from '../../../support/in-memory-workspace';

function stage(tools: readonly Tool[]) {
  const events: ObservedEvent[] = [];
  const workspace = new InMemoryWorkspaces().create(1);
  const round: ToolRound = {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    closed: [],
    isOver: false,
    effects: undefined,
    context: {
      workspace,
      slot: 1,
      seenPaths: new Set(),
      approveCommand: async () => true,
    },
    at: { slot: 1, turnNo: 1, call: 1 },
    observe: (event) => events.push(event),
    steps: liveSteps,
    payloads: new MemoryPayloads(),
    redact: (text) => text,
    freeze: async () => undefined,
    logger: silent,
  };
  const run = (names: readonly string[], signal = new AbortController().signal) =>
    runCalls(
      round,
      names.map((name, index) => ({ call: { id: `c${index}`, name, argumentsJson: '{}' }, index })),
      signal,
    );
  return { events, run, workspace };
}

/** A tool that notes when it begins and ends. */
function noting(name: string, access: Tool['access'], notes: string[]): Tool {
  return toolOf(name, access, async () => {
    notes.push(`${name} begins`);
    await settle();
    notes.push(`${name} ends`);
    return { text: name, isError: false };
  });
}

describe('the tools of one response', () => {
  it('read side by side, but write one after the other and after the reads before them', async () => {
    const notes: string[] = [];
    const { run } = stage([
      noting('r1', 'read', notes),
      noting('r2', 'read', notes),
      noting('w1', 'write', notes),
      noting('w2', 'write', notes),
    ]);
    const results = await run(['r1', 'r2', 'w1', 'w2']);
    expect(results.map(({ text }) => text)).toEqual(['r1', 'r2', 'w1', 'w2']);
    expect(notes.slice(0, 2)).toEqual(['r1 begins', 'r2 begins']);
    expect(notes.slice(4)).toEqual(['w1 begins', 'w1 ends', 'w2 begins', 'w2 ends']);
  });

  it('do not read more than eight files at a time', async () => {
    let running = 0;
    let most = 0;
    const { run } = stage([
      toolOf('r', 'read', async () => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        return { text: 'ok', isError: false };
      }),
    ]);
    expect(await run(Array.from({ length: 20 }, () => 'r'))).toHaveLength(20);
    expect(most).toBe(8);
  });

  it('answers each call once, in order, also calls of tools that are not there', async () => {
    const { run, events } = stage([
      toolOf('r', 'read', async () => ({ text: 'ok', isError: false })),
    ]);
    const results = await run(['r', 'gone', 'r']);
    expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ['c0', false],
      ['c1', true],
      ['c2', false],
    ]);
    expect(results[1]?.text).toBe('There is no tool "gone" that you can use now. You can use: r.');
    expect(events.filter(({ type }) => type === 'tool-call-ended')).toHaveLength(3);
  });

  it('lets neighbours finish before a cancellation goes on, and ends every call in the log', async () => {
    const stop = new AbortController();
    const reason = new MassGenError('cancelled/user', 'Stopped.');
    const waiting = toolOf('waits', 'read', async (_input, _context, signal) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
      throw reason;
    });
    const { run, events } = stage([waiting, noting('r', 'read', [])]);
    const done = run(['waits', 'r', 'waits'], stop.signal);
    stop.abort(reason);
    await expect(done).rejects.toBe(reason);
    expect(events.filter(({ type }) => type === 'tool-call-ended')).toHaveLength(3);
  });

  it('keeps a result that would fill the conversation as a file, and shows both its ends', async () => {
    const long = `first ${'é'.repeat(300_000)} last`;
    const { run, events, workspace } = stage([
      toolOf('long', 'network', async () => ({ text: long, isError: false })),
    ]);
    const [result] = await run(['long']);
    expect(result?.text.length).toBeLessThan(49_000);
    expect(result?.text).toMatch(/^first é+\n\[… \d+ characters left out here\. .*\n.*é+ last$/);
    const path = /in (\S+): search/.exec(result?.text ?? '')?.[1] ?? '';
    expect(path).toContain('/workspace/.tool_results/');
    expect(workspace.files.get(path)).toBe(long);
    expect(events.at(-1)).toMatchObject({ preview: `first ${'é'.repeat(1_994)}` });
  });

  it('keeps the whole of what a tool has shortened by itself, under one name for equal results', async () => {
    const { run, workspace } = stage([
      toolOf('long', 'execute', async () => ({ text: 'a…c', whole: 'abc', isError: false })),
    ]);
    const results = await run(['long', 'long']);
    expect(results[0]?.text).toMatch(
      /^a…c\n\[The whole of it is in \S+: search it or read it in parts\.\]$/,
    );
    expect(results[1]?.text).toBe(results[0]?.text);
    expect([...workspace.files.values()]).toEqual(['abc']);
  });

  it('shortens a file of the agent without keeping it twice, and whatever cannot be kept', async () => {
    const text = 'x'.repeat(300_000);
    const file = toolOf('reads', 'read', async () => ({ text, isError: false }));
    const { run, workspace } = stage([
      { ...file, pathsOf: () => ['a.txt'] },
      toolOf('long', 'network', async () => ({ text, isError: false })),
    ]);
    workspace.writeFile = async () => Promise.reject(new Error('The disk is full.'));
    const [read, sent] = await run(['reads', 'long']);
    expect(read?.text.length).toBeGreaterThan(190_000);
    expect(sent?.text.length).toBeLessThan(49_000);
    for (const result of [read, sent]) {
      expect(result?.text).toContain('Ask for a smaller part.');
    }
  });
});
