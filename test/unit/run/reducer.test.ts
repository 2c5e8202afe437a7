import { describe, expect, it } from 'vitest';
import type { ModelCallEnded } from '../../../src/run/call-events';
import type { RecordedEvent, RunEvent } from '../../../src/run/events';
import type { FileChange } from '../../../src/run/facts';
import { apply, initialState } from '../../../src/run/reducer';
import type { AgentState, RunState } from '../../../src/run/state';
import { startedBy } from '../../support/engine';

/** The state after the start of a run of two, the first turn of agent1, and then `events`, 10 ms apart. */
function after(...events: readonly RunEvent[]): RunState {
  const all: readonly RunEvent[] = [
    startedBy({ count: 2 }),
    { type: 'agent-turn-started', slot: 1, turnNo: 1, attempt: 1, shown: [] },
    ...events,
  ];
  return all.reduce<RunState>(
    (state, event, seq) => apply(state, { seq, at: 1000 + seq * 10, event }),
    initialState,
  );
}

function first(state: RunState): AgentState {
  const [agent] = state.agents;
  if (agent === undefined) {
    throw new Error('there is no agent');
  }
  return agent;
}

const call = { slot: 1, turnNo: 1, call: 1 } as const;
const delta = (text: string, more = {}): RunEvent => ({
  type: 'text-delta',
  ...call,
  text,
  ...more,
});
const ended = (usage = {}, costUsd: number | null = null): ModelCallEnded => ({
  type: 'model-call-ended',
  ...call,
  text: '',
  toolCalls: [],
  usage,
  costUsd,
});
const answered: RunEvent = {
  type: 'answer-submitted',
  slot: 1,
  turnNo: 1,
  label: 'agent1.1',
  text: 'done',
  snapshotId: null,
  changes: [],
  hadUnseen: [],
};
const voted: RunEvent = {
  type: 'vote-cast',
  slot: 1,
  turnNo: 1,
  ballotId: 'agent1.vote1',
  target: 'agent2.1',
  reason: 'It is the best.',
  seen: ['agent2.1'],
  isInformed: true,
  weight: 1,
  phase: 'vote',
};

describe('the reducer', () => {
  it('begins with the facts of the start', () => {
    const state = after();
    expect(state).toMatchObject({ seq: 1, runId: 'run-1', startedAt: 1000, lastEventAt: 1010 });
    expect(state.agents.map(({ info, status }) => [info.id, status])).toEqual([
      ['id-1', 'running'],
      ['id-2', 'idle'],
    ]);
  });

  it('lets an event of a newer version pass and changes nothing but the number', () => {
    const newer = JSON.parse(
      '{"seq":2,"at":9000,"event":{"type":"agent-dreamed","slot":1}}',
    ) as RecordedEvent;
    expect(apply(after(), newer)).toEqual({ ...after(), seq: 2 });
  });

  it('takes any event first without breaking', () => {
    expect(apply(undefined, { seq: 0, at: 5, event: answered })).toMatchObject({
      seq: 0,
      agents: [],
    });
  });

  it('never changes the state it was given', () => {
    const before = after();
    const text = JSON.stringify(before);
    apply(before, { seq: 2, at: 1, event: answered });
    apply(before, { seq: 2, at: 1, event: delta('x') });
    expect(JSON.stringify(before)).toBe(text);
  });
});

describe('live text', () => {
  it('keeps the newest 8,000 characters', () => {
    const state = after(delta('a'.repeat(7999)), delta('bcd'));
    expect(first(state).liveText).toBe(`${'a'.repeat(7997)}bcd`);
  });

  it('does not begin inside a character', () => {
    expect(first(after(delta(`😀${'a'.repeat(7999)}`))).liveText).toBe('a'.repeat(7999));
  });

  it('leaves out thinking and the text of a turn that is over', () => {
    const late = delta('late', { turnNo: 9 });
    expect(first(after(delta('said'), delta('thought', { isThinking: true }), late)).liveText).toBe(
      'said',
    );
  });

  it('says whether the model thinks at the moment, call by call', () => {
    const began = { type: 'model-call-started', ...call } as const;
    const thought = delta('Hm.', { isThinking: true });
    const activities = [
      after(began),
      after(began, thought),
      after(began, thought, thought, delta('I see.')),
      after(began, thought, ended({}), { ...began, call: 2 }),
    ].map((state) => first(state).activity);
    expect(activities).toEqual([
      { kind: 'model' },
      { kind: 'model', isThinking: true },
      { kind: 'model' },
      { kind: 'model' },
    ]);
  });

  it('begins a line with each call, as no call goes on with the sentence of another', () => {
    const again = { type: 'model-call-started', slot: 1, turnNo: 1, call: 2 } as const;
    const silent = { ...again, call: 3 };
    expect(first(after(delta('I read.'), again, silent, delta('I write.'))).liveText).toBe(
      'I read.\nI write.',
    );
  });

  it('begins anew with the next turn', () => {
    const next = { type: 'agent-turn-started', slot: 1, turnNo: 2, attempt: 1, shown: [] } as const;
    expect(first(after(delta('old'), next, delta('new', { turnNo: 2 }))).liveText).toBe('new');
  });
});

describe('usage', () => {
  it('adds up, and says what is not known', () => {
    const started = { type: 'model-call-started', ...call } as const;
    const state = after(
      started,
      ended({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 3 }, 0.25),
      started,
      ended({ outputTokens: 2 }),
      started,
      ended(),
    );
    expect(first(state).usage).toEqual({
      calls: 3,
      inputTokens: 10,
      cachedInputTokens: 4,
      outputTokens: 5,
      costUsd: 0.25,
      unpricedCalls: 2,
      unmeteredCalls: 1,
    });
  });

  it('is a lower bound where a service charges for more than tokens', () => {
    const state = after({ ...ended({ inputTokens: 10, outputTokens: 3 }, 0.25), hasFees: true });
    expect(first(state).usage).toMatchObject({ costUsd: 0.25, unpricedCalls: 1 });
  });

  it('is a lower bound where an answer broke off before it was counted', () => {
    const counted = { inputTokens: 10, outputTokens: 1, isPartial: true };
    const bounds = (costUsd: number | null) => first(after(ended(counted, costUsd))).usage;
    const least = { inputTokens: 10, outputTokens: 1, unmeteredCalls: 1 };
    expect(bounds(0.25)).toMatchObject({ ...least, costUsd: 0.25, unpricedCalls: 1 });
    expect(bounds(0)).toMatchObject({ ...least, costUsd: 0, unpricedCalls: 0 });
  });

  it('counts calls of a turn that was aborted', () => {
    const cancelled = { type: 'agent-cancelled', slot: 1, reason: 'deadline' } as const;
    expect(first(after(cancelled, ended({}, 0.5))).usage.costUsd).toBe(0.5);
  });
});

describe('what an agent is doing', () => {
  const tool = { ...call, index: 0, tool: 'read_file' } as const;
  const toolStarted: RunEvent = { type: 'tool-call-started', ...tool, subject: 'a.ts' };
  const asked: RunEvent = {
    type: 'approval-requested',
    slot: 1,
    turnNo: 1,
    approvalId: 'a1',
    command: 'npm test',
    cwd: '/p',
    isConfined: false,
    hash: 'h',
  };

  it('follows model calls, tools and waits', () => {
    expect(first(after({ type: 'model-call-started', ...call })).activity.kind).toBe('model');
    expect(first(after(toolStarted)).activity).toEqual({
      kind: 'tool',
      tool: 'read_file',
      subject: 'a.ts',
      startedAt: 1020,
    });
    const wait = { type: 'agent-waiting', slot: 1, turnNo: 1, reason: 'retry', until: 9 } as const;
    expect(first(after(wait)).activity).toEqual({ kind: 'waiting', reason: 'retry', until: 9 });
    const done = { isError: false, preview: '', outputBytes: 0 };
    const toolEnded: RunEvent = { type: 'tool-call-ended', ...tool, ...done };
    expect(first(after(toolStarted, toolEnded)).activity.kind).toBe('none');
  });

  it('shows a question until it is decided', () => {
    const open = after(asked);
    expect(open.approvals).toEqual([
      {
        approvalId: 'a1',
        slot: 1,
        command: 'npm test',
        cwd: '/p',
        isConfined: false,
        hash: 'h',
        requestedAt: 1020,
      },
    ]);
    expect(first(open).activity).toEqual({ kind: 'approval', approvalId: 'a1' });
    const resolved: RunEvent = {
      type: 'approval-resolved',
      slot: 1,
      turnNo: 1,
      approvalId: 'a1',
      decision: 'deny',
      by: 'user',
    };
    expect(after(asked, resolved).approvals).toEqual([]);
    expect(first(after(asked, resolved)).activity.kind).toBe('none');
  });

  it('knows of a program that it may run without confinement, once that was allowed', () => {
    const program: RunEvent = { ...asked, isProgram: true };
    const resolved = (decision: 'deny' | 'allow-run'): RunEvent => ({
      ...{ type: 'approval-resolved', slot: 1, turnNo: 1, approvalId: 'a1', by: 'user', decision },
    });
    expect(after(program).approvals).toMatchObject([{ isProgram: true }]);
    expect(first(after(program, resolved('allow-run'))).isUnconfined).toBe(true);
    expect(first(after(program, resolved('deny'))).isUnconfined).toBeUndefined();
    expect(first(after(asked, resolved('allow-run'))).isUnconfined).toBeUndefined();
  });

  it('keeps no question of a turn that is over', () => {
    const over = { type: 'agent-turn-ended', slot: 1, turnNo: 1, outcome: 'restarted' } as const;
    expect(after(asked, over).approvals).toEqual([]);
    expect(after(over, asked).approvals).toEqual([]);
  });
});

describe('answers and votes', () => {
  it('gives an answer its number in the log and its place among the agent’s own', () => {
    expect(first(after(answered)).revisions).toMatchObject([
      { label: 'agent1.1', slot: 1, n: 1, seq: 2, at: 1020 },
    ]);
  });

  it('keeps a void ballot as history and frees its voter', () => {
    const over = { type: 'agent-turn-ended', slot: 1, turnNo: 1, outcome: 'vote' } as const;
    expect(first(after(voted, over))).toMatchObject({ status: 'voted', ballot: { seq: 2 } });
    const voided: RunEvent = { type: 'votes-voided', cause: 'agent2.2', voters: [1] };
    const agent = first(after(voted, over, voided));
    expect(agent).toMatchObject({ status: 'idle', ballot: null });
    expect(agent.ballots).toMatchObject([{ id: 'agent1.vote1', void: { by: 'agent2.2', seq: 4 } }]);
  });

  it('forgets failed turns with an accepted action', () => {
    const failed: RunEvent = {
      type: 'turn-failed',
      slot: 1,
      turnNo: 1,
      cause: 'backend',
      error: { code: 'backend/network', message: 'Reset.', retryable: true },
      failedTurns: 1,
    };
    expect(first(after(failed))).toMatchObject({ failedTurns: 1, notBefore: 2020 });
    expect(first(after(failed, answered)).failedTurns).toBe(0);
  });
});

describe('the timeline', () => {
  it('has a line for what people want to follow, in order', () => {
    const warned = { type: 'warning-raised', code: 'w', message: 'Mind this.' } as const;
    const { timeline } = after(delta('x'), answered, voted, warned);
    expect(
      timeline.map(({ seq, kind, slot, labels, text }) => [seq, kind, slot, labels, text]),
    ).toEqual([
      [0, 'run-started', null, [], 'Settle on a letter.'],
      [3, 'answer', 1, ['agent1.1'], ''],
      [4, 'vote', 1, ['agent2.1'], 'It is the best.'],
      [5, 'warning', null, [], 'Mind this.'],
    ]);
  });

  it('says why votes became void', () => {
    const line = (cause: 'runoff' | 'agent2.1'): unknown =>
      after({ type: 'votes-voided', cause, voters: [1] }).timeline.at(-1);
    expect(line('runoff')).toMatchObject({ text: 'runoff', labels: [], slots: [1] });
    expect(line('agent2.1')).toMatchObject({ text: '', labels: ['agent2.1'], slots: [1] });
  });

  it('tells of a restart, but not of other ends of turns', () => {
    const end = (outcome: 'restarted' | 'answer'): RunEvent => ({
      type: 'agent-turn-ended',
      slot: 1,
      turnNo: 1,
      outcome,
    });
    expect(after(end('restarted')).timeline.at(-1)?.kind).toBe('restart');
    expect(after(end('answer')).timeline.at(-1)?.kind).toBe('run-started');
  });

  it('says which tools are closed, and nothing where none is', () => {
    const closed = (...blockedTools: readonly string[]): string | undefined =>
      after({ type: 'planning-decided', isOn: true, blockedTools, by: 'setting' }).timeline.at(-1)
        ?.kind;
    expect(closed('send_mail')).toBe('planning');
    expect(closed()).toBe('run-started');
  });
});

describe('the review', () => {
  const file: FileChange = {
    root: 'p',
    path: 'a.ts',
    kind: 'modify',
    added: 1,
    removed: 0,
    isBinary: false,
    sizeBytes: 3,
  };
  const ready: RunEvent = {
    type: 'change-set-ready',
    label: 'agent1.1',
    snapshotId: 's',
    files: [file, { ...file, root: 'q' }],
  };
  const decide = (decision: 'accepted' | 'conflict', detail?: string): RunEvent => ({
    type: 'file-decided',
    root: 'p',
    path: 'a.ts',
    decision,
    ...(detail === undefined ? {} : { detail }),
  });

  it('begins with every file pending, and decides each by root and path', () => {
    expect(after(ready).review?.files.map(({ decision }) => decision)).toEqual([
      'pending',
      'pending',
    ]);
    expect(after(ready, decide('accepted')).review?.files).toEqual([
      { ...file, decision: 'accepted' },
      { ...file, root: 'q', decision: 'pending' },
    ]);
  });

  it('drops the detail of a decision that was replaced', () => {
    const conflict = after(ready, decide('conflict', 'Both changed line 1.'));
    expect(conflict.review?.files[0]).toMatchObject({ detail: 'Both changed line 1.' });
    const state = after(ready, decide('conflict', 'Both changed line 1.'), decide('accepted'));
    expect(state.review?.files[0]).toEqual({ ...file, decision: 'accepted' });
  });

  it('goes on after the end of the run', () => {
    const over = { type: 'run-ended', outcome: 'completed' } as const;
    const state = after(ready, over, decide('accepted'));
    expect(state.outcome).toBe('completed');
    expect(state.review?.files[0]?.decision).toBe('accepted');
  });
});

describe('the end of a run', () => {
  it('leaves nobody at work and keeps how each took part', () => {
    const over = { type: 'run-ended', outcome: 'interrupted' } as const;
    const state = after(voted, over);
    expect(state.agents.map(({ status, turn }) => [status, turn])).toEqual([
      ['voted', null],
      ['done', null],
    ]);
    expect(state.poll.kind).toBe('closed');
  });
});
