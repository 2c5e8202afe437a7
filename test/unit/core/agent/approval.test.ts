import { describe, expect, it } from 'vitest';
import { ApprovalDesk, type ApprovalRequest } from '../../../../src/core/agent/approval';
import type { CommandPolicy, CommandToApprove } from '../../../../src/core/ports/approvals';
import { MassGenError } from '../../../../src/core/errors';
import type { ObservedEvent } from '../../../../src/run/events';
import { askEveryTime, silent } from '../../../support/run-harness';

const request = (slot: number, command = 'npm test'): ApprovalRequest => ({
  slot,
  turnNo: 1,
  command,
  cwd: `/run/token${slot}/project`,
  neutralCwd: '<files>/project',
  isConfined: false,
});

function stage(policy: CommandPolicy = askEveryTime) {
  const desk = new ApprovalDesk(policy, silent);
  const events: ObservedEvent[] = [];
  const stop = new AbortController();
  const ask = (one: ApprovalRequest): Promise<boolean> =>
    desk.ask(one, (event) => events.push(event), stop.signal);
  const open = () =>
    events.flatMap((event) => (event.type === 'approval-requested' ? [event] : []));
  const resolved = () =>
    events.flatMap((event) =>
      event.type === 'approval-resolved' ? [[event.slot, event.decision, event.by]] : [],
    );
  return { desk, events, stop, ask, open, resolved };
}

describe('a command that waits for a person', () => {
  it('shows exactly what will run, and runs after it was allowed', async () => {
    const { desk, ask, open, resolved } = stage();
    const answer = ask(request(1, 'echo "a"; rm -rf .'));
    const [card] = open();
    expect(card).toMatchObject({ command: 'echo "a"; rm -rf .', cwd: '/run/token1/project' });
    expect(desk.resolve(card?.approvalId ?? '', card?.hash ?? '', 'allow-once')).toBe(true);
    expect(await answer).toBe(true);
    expect(resolved()).toEqual([[1, 'allow-once', 'user']]);
  });

  it.each([
    ['with confinement', 'without it', { isConfined: true }, {}],
    ['as a command', 'as a request of the same words', {}, { isRequest: true as const }],
    ['as a tool', 'as a command of the same words', { isTool: true as const }, {}],
    [
      'as a tool',
      'after the tool has changed',
      { isTool: true as const },
      { isTool: true as const, isChanged: true as const },
    ],
    ['as a program', 'as a command of the same words', { isProgram: true as const }, {}],
    ['as a command', 'as a program of the same words', {}, { isProgram: true as const }],
  ])('that was allowed %s for the whole run is asked about %s', async (_was, _is, first, then) => {
    const { desk, ask, open, stop } = stage();
    const answer = ask({ ...request(1), ...first });
    desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'allow-run');
    expect(await answer).toBe(true);
    expect(await ask({ ...request(2), ...first })).toBe(true);
    const other = ask({ ...request(1), ...then });
    stop.abort(new MassGenError('cancelled/user', 'Stopped.'));
    await expect(other).rejects.toThrow('Stopped.');
  });

  it('does not run after it was denied', async () => {
    const { desk, ask, open } = stage();
    const answer = ask(request(1));
    desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'deny');
    expect(await answer).toBe(false);
  });

  it('ignores a decision about something else, and a second decision', async () => {
    const { desk, ask, open } = stage();
    const answer = ask(request(1));
    const { approvalId = '', hash = '' } = open()[0] ?? {};
    expect(desk.resolve(approvalId, 'another hash', 'allow-once')).toBe(false);
    expect(desk.resolve('approval-99', hash, 'allow-once')).toBe(false);
    expect(desk.resolve(approvalId, hash, 'deny')).toBe(true);
    expect(desk.resolve(approvalId, hash, 'allow-once')).toBe(false);
    expect(await answer).toBe(false);
  });

  it('is asked about again when it was allowed once', async () => {
    const { desk, ask, open } = stage();
    const first = ask(request(1));
    desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'allow-once');
    await first;
    void ask(request(1)).catch(() => undefined);
    expect(open()).toHaveLength(2);
    expect(desk.resolve(open()[1]?.approvalId ?? '', open()[1]?.hash ?? '', 'deny')).toBe(true);
  });

  it('allowed for the run, runs for every agent that asks for exactly it, now and later', async () => {
    const { desk, ask, open, resolved } = stage();
    const [first, second, other] = [ask(request(1)), ask(request(2)), ask(request(3, 'npm test '))];
    desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'allow-run');
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(await ask(request(3))).toBe(true);
    expect(resolved()).toEqual([
      [1, 'allow-run', 'user'],
      [2, 'allow-run', 'earlier-decision'],
      [3, 'allow-run', 'earlier-decision'],
    ]);
    desk.resolve(open()[2]?.approvalId ?? '', open()[2]?.hash ?? '', 'deny');
    expect(await other).toBe(false);
  });

  it('is answered by an earlier decision without waiting, and both are told', async () => {
    const policy: CommandPolicy = {
      ...askEveryTime,
      decide: ({ command }) => ({ isAllowed: command === 'npm test', by: 'policy' }),
    };
    const { ask, events } = stage(policy);
    expect(await ask(request(1))).toBe(true);
    expect(await ask(request(1, 'curl evil'))).toBe(false);
    expect(events.map(({ type }) => type)).toEqual([
      'approval-requested',
      'approval-resolved',
      'approval-requested',
      'approval-resolved',
    ]);
  });

  it('allowed for the workspace, is remembered by what does not change between runs', async () => {
    const kept: CommandToApprove[] = [];
    const policy: CommandPolicy = {
      decide: () => undefined,
      remember: async (command) => {
        kept.push(command);
      },
    };
    const hashes: (string | undefined)[] = [];
    for (const slot of [1, 2]) {
      const { desk, ask, open } = stage(policy);
      const answer = ask(request(slot));
      hashes.push(open()[0]?.hash);
      desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'allow-workspace');
      await answer;
    }
    expect(kept[0]?.rememberedAs).toBe(kept[1]?.rememberedAs);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('runs although its decision could not be remembered', async () => {
    const policy: CommandPolicy = {
      decide: () => undefined,
      remember: async () => {
        throw new Error('disk full');
      },
    };
    const { desk, ask, open } = stage(policy);
    const answer = ask(request(1));
    desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'allow-workspace');
    expect(await answer).toBe(true);
  });

  it('is denied by a stop', async () => {
    const { desk, ask, open, stop, resolved } = stage();
    const answer = ask(request(1));
    stop.abort(new MassGenError('cancelled/user', 'Stopped.'));
    await expect(answer).rejects.toMatchObject({ code: 'cancelled/user' });
    expect(resolved()).toEqual([[1, 'deny', 'stop']]);
    expect(desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', 'allow-once')).toBe(
      false,
    );
  });
});

describe('a program that nothing confines', () => {
  const program = (slot: number): ApprovalRequest => ({
    ...request(slot, 'gemini --acp'),
    isProgram: true,
  });
  const decide = (
    { desk, open }: ReturnType<typeof stage>,
    decision: 'deny' | 'allow-once' | 'allow-run' | 'allow-workspace',
  ): boolean => desk.resolve(open()[0]?.approvalId ?? '', open()[0]?.hash ?? '', decision);

  it.each([
    ['allow-once', true, 'allow-run'],
    ['allow-run', true, 'allow-run'],
    ['allow-workspace', true, 'allow-run'],
    ['deny', false, 'deny'],
  ] as const)('is asked for once by all its agents: %s', async (decision, isAllowed, later) => {
    const bench = stage();
    const answers = [bench.ask(program(1)), bench.ask(program(2)), bench.ask(program(3))];
    expect(bench.open().map(({ slot, isProgram }) => [slot, isProgram])).toEqual([[1, true]]);
    expect(decide(bench, decision)).toBe(true);
    expect(await Promise.all(answers)).toEqual([isAllowed, isAllowed, isAllowed]);
    expect(await bench.ask(program(1))).toBe(isAllowed);
    expect(bench.resolved()).toEqual([
      [1, decision, 'user'],
      [2, later, 'earlier-decision'],
      [3, later, 'earlier-decision'],
      [1, later, 'earlier-decision'],
    ]);
  });

  it('is asked for by the next agent when the turn of the first one ends', async () => {
    const { desk, events, open, resolved } = stage();
    const first = new AbortController();
    const ask = (slot: number, signal: AbortSignal): Promise<boolean> =>
      desk.ask(program(slot), (event) => events.push(event), signal);
    const answers = [ask(1, first.signal), ask(2, new AbortController().signal)];
    first.abort(new MassGenError('cancelled/superseded', 'Over.'));
    await expect(answers[0]).rejects.toThrow('Over.');
    await expect.poll(() => open().length).toBe(2);
    desk.resolve(open()[1]?.approvalId ?? '', open()[1]?.hash ?? '', 'allow-run');
    expect(await answers[1]).toBe(true);
    expect(resolved()).toEqual([
      [1, 'deny', 'stop'],
      [2, 'allow-run', 'user'],
    ]);
  });

  it.each([
    ['allow-once', true],
    ['deny', false],
  ] as const)('is not asked for again when the run goes on elsewhere: %s', async (decision, is) => {
    const before = stage();
    const answer = before.ask(program(1));
    decide(before, decision);
    await answer;
    const after = stage();
    const recorded = before.events.map((event, i) => ({ seq: i + 1, at: 0, event }));
    after.desk.recall(recorded, () => program(1).neutralCwd);
    expect(await after.ask(program(2))).toBe(is);
    expect(after.resolved().map(([, , by]) => by)).toEqual(['earlier-decision']);
  });

  it('is asked for anew once somebody lets an agent try again', async () => {
    const bench = stage();
    const first = bench.ask(program(1));
    decide(bench, 'deny');
    expect(await first).toBe(false);
    bench.desk.reconsider();
    const second = bench.ask(program(1));
    const [, card] = bench.open();
    bench.desk.resolve(card?.approvalId ?? '', card?.hash ?? '', 'allow-once');
    expect(await second).toBe(true);
    bench.desk.reconsider();
    expect(await bench.ask(program(1))).toBe(true);
  });

  it('is asked for anew when that was before the run went on elsewhere', async () => {
    const before = stage();
    const answer = before.ask(program(1));
    decide(before, 'deny');
    await answer;
    const after = stage();
    const events = [...before.events, { type: 'agent-revived', slot: 1 } as const];
    const recorded = events.map((event, i) => ({ seq: i + 1, at: 0, event }));
    after.desk.recall(recorded, () => program(1).neutralCwd);
    const again = after.ask(program(1));
    decide(after, 'allow-once');
    expect(await again).toBe(true);
  });

  it('does not keep a command of the same words from running once it was denied', async () => {
    const bench = stage();
    const answer = bench.ask(program(1));
    decide(bench, 'deny');
    expect(await answer).toBe(false);
    const command = bench.ask(request(1, 'gemini --acp'));
    const [, card] = bench.open();
    bench.desk.resolve(card?.approvalId ?? '', card?.hash ?? '', 'allow-once');
    expect(await command).toBe(true);
  });
});

describe('a command of an agent whose team file asks for isolation', () => {
  const generous: CommandPolicy = {
    decide: () => ({ isAllowed: true, by: 'policy' }),
    remember: () => Promise.resolve(),
  };

  function isolated(policy: CommandPolicy) {
    const desk = new ApprovalDesk(policy, silent, new Set([1]));
    const events: ObservedEvent[] = [];
    const stop = new AbortController();
    const ask = (one: ApprovalRequest): Promise<boolean> =>
      desk.ask(one, (event) => events.push(event), stop.signal);
    const allow = (decision: 'allow-run'): void => {
      const open = events.findLast((event) => event.type === 'approval-requested');
      desk.resolve(open?.approvalId ?? '', open?.hash ?? '', decision);
    };
    const deciders = (): readonly string[] =>
      events.flatMap((event) => (event.type === 'approval-resolved' ? [event.by] : []));
    return { ask, allow, stop, deciders };
  }

  it('waits for a person each time where nothing confines it, whatever a policy allows', async () => {
    const { ask, allow, deciders } = isolated(generous);
    for (let i = 0; i < 2; i++) {
      const answer = ask(request(1));
      allow('allow-run');
      expect(await answer).toBe(true);
    }
    expect(deciders()).toEqual(['user', 'user']);
  });

  it('runs as the policy says where it is confined, and so do those of the other agents', async () => {
    const { ask, deciders } = isolated(generous);
    expect(await ask({ ...request(1), isConfined: true })).toBe(true);
    expect(await ask(request(2))).toBe(true);
    expect(deciders()).toEqual(['policy', 'policy']);
  });

  it('is refused at once where the policy refuses it', async () => {
    const { ask, deciders } = isolated({
      ...generous,
      decide: ({ mustAsk }) => (mustAsk ? { isAllowed: false, by: 'policy' } : undefined),
    });
    expect(await ask(request(1))).toBe(false);
    expect(deciders()).toEqual(['policy']);
  });
});
