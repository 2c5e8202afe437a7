import { describe, expect, it } from 'vitest';
import { openTools, targetNames, workflowSpecs } from '../../../../src/core/agent/workflow-specs';
import { replyResult, toAction, toFindings } from '../../../../src/core/agent/workflow-tools';
import type { Toolset } from '../../../../src/core/coordination/inputs';

const both: Toolset = {
  hasNewAnswer: true,
  hasVote: true,
  hasOrdinaryTools: true,
  targets: ['agent3.2', 'agent1.1'],
};
const files = { snapshotId: 'abc', changes: [] };
const same = (text: string): string => text;
const call = (name: string, argumentsJson: string) => ({ id: 'c1', name, argumentsJson });

describe('the tools that end a turn', () => {
  it('offers what may be used in the turn, and a vote that names no agents', () => {
    const closed = { ...both, hasVote: false, targets: [] };
    const later = { ...closed, mayVoteLater: true };
    const names = (toolset: Toolset): readonly string[] =>
      workflowSpecs('coordinate', toolset).map(({ name }) => name);
    expect(names(both)).toEqual(['new_answer', 'vote']);
    expect(names(later)).toEqual(['new_answer', 'vote']);
    expect(names(closed)).toEqual(['new_answer']);
    expect(openTools('coordinate', later)).toEqual(['new_answer']);
    expect(workflowSpecs('coordinate', later)).toEqual(workflowSpecs('coordinate', both));
    expect(targetNames(both)).toEqual(['agent1', 'agent3']);
  });

  it('reads a vote as written, its reason in one line', () => {
    const json =
      '{"agent_id":" Agent3.2 ","reason":"Good:\\n  it\\ttests.","approve":["agent1",7],"x":1}';
    expect(toAction(call('vote', json), files, same)).toEqual({
      kind: 'vote',
      toolCallId: 'c1',
      target: 'Agent3.2',
      reason: 'Good: it tests.',
      approve: ['agent1'],
      isAbstention: false,
    });
  });

  it('takes a vote without a reason, and an abstention', () => {
    const action = toAction(call('vote', '{"agent_id":"agent1","abstain":true}'), files, same);
    expect(action).toMatchObject({ kind: 'vote', reason: '', isAbstention: true });
  });

  it.each(['{"content":', '[]', '"text"', 'null', '7'])(
    'calls %s arguments that cannot be read',
    (json) => {
      expect(toAction(call('new_answer', json), files, same)).toEqual({
        kind: 'bad_arguments',
        toolCallId: 'c1',
        name: 'new_answer',
      });
    },
  );

  it.each(['', '{}', '{"content":null}', '{"content":["a"]}'])(
    'takes %j for an answer without text, which the engine refuses',
    (json) => {
      expect(toAction(call('new_answer', json), files, same)).toMatchObject({ content: '' });
    },
  );

  it("takes the author's own paths out of an answer", () => {
    const neutral = (text: string): string => text.replaceAll('/run/x1', '<files>');
    const action = toAction(call('new_answer', '{"content":"See /run/x1/a.txt"}'), files, neutral);
    expect(action).toMatchObject({ content: 'See <files>/a.txt', snapshotId: 'abc' });
  });

  it('answers a call with status, code, what may be done now and the targets', () => {
    const reply = {
      toolCallId: 'c1',
      status: 'rejected',
      code: 'self_vote',
      message: 'No.',
    } as const;
    const toolset = { ...both, hasNewAnswer: false };
    const offer = { purpose: 'coordinate', toolset } as const;
    const result = replyResult(call('vote', '{}'), reply, offer);
    expect({ ...result, text: JSON.parse(result.text) as unknown }).toEqual({
      toolCallId: 'c1',
      name: 'vote',
      isError: true,
      text: {
        status: 'rejected',
        code: 'self_vote',
        message: 'No.',
        allowed_now: ['vote'],
        targets: ['agent3.2', 'agent1.1'],
      },
    });
  });

  it('offers stop only where agents divide the task, and reads it', () => {
    const divided: Toolset = { ...both, hasVote: false, hasStop: true };
    expect(workflowSpecs('coordinate', divided).map(({ name }) => name)).toEqual([
      'new_answer',
      'stop',
    ]);
    const json = '{"summary":"Done in /run/x1/a.txt","status":"blocked"}';
    const neutral = (text: string): string => text.replaceAll('/run/x1', '<files>');
    expect(toAction(call('stop', json), files, neutral)).toEqual({
      kind: 'stop',
      toolCallId: 'c1',
      summary: 'Done in <files>/a.txt',
      status: 'blocked',
    });
    expect(toAction(call('stop', '{}'), files, same)).toMatchObject({ status: 'complete' });
  });

  it('offers an evaluator two decisions and a presenter the way to hand in its text', () => {
    expect(workflowSpecs('evaluate', both).map(({ name }) => name)).toEqual([
      'submit',
      'restart_orchestration',
    ]);
    expect(workflowSpecs('present', both).map(({ name }) => name)).toEqual(['new_answer']);
  });

  it('reads what an evaluator decides; what cannot be read confirms and restarts nothing', () => {
    const restart = '{"reason":"No tests.","instructions":"Add them."}';
    expect(toFindings(call('restart_orchestration', restart), same)).toEqual([
      { kind: 'restart', toolCallId: 'c1', reason: 'No tests.', instructions: 'Add them.' },
    ]);
    expect(toFindings(call('submit', '{"confirmed":true}'), same)).toMatchObject([
      { kind: 'submit', isConfirmed: true },
    ]);
    expect(toFindings(call('submit', '{"confirmed":"true"}'), same)).toMatchObject([
      { isConfirmed: false },
    ]);
    expect(toFindings(call('submit', '{'), same)).toMatchObject([{ isConfirmed: false }]);
    expect(toFindings(call('restart_orchestration', '{'), same)).toEqual([]);
  });
});
