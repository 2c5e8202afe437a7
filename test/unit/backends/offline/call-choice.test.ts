import { describe, expect, it } from 'vitest';
import { chooseCall } from '../../../../src/backends/offline/call-choice';
import { type Recording, parseRecording } from '../../../../src/backends/offline/recording';
import type { ModelRequest, ToolSpec } from '../../../../src/core/ports/model-backend';
import { requestOf } from '../../../contract/backend-kit';

type Line = readonly [
  place: readonly [slot: number, turnNo: number, call: number],
  tool: string | undefined,
  args: object,
  extra?: object,
];

function recorded(lines: readonly Line[], before: readonly object[] = []): Recording {
  const events = lines.map(([[slot, turnNo, call], tool, args, extra]) => ({
    type: 'model-call-ended',
    ...{ slot, turnNo, call, text: '', usage: {}, costUsd: null },
    toolCalls:
      tool === undefined ? [] : [{ id: 'x', name: tool, argumentsJson: JSON.stringify(args) }],
    ...extra,
  }));
  const all = [...before, ...events].map((event, seq) => ({ seq, at: seq, event }));
  const text = [{ v: 1, task: 'T' }, ...all].map((line) => JSON.stringify(line)).join('\n');
  return parseRecording(text, 'x.jsonl');
}

const spec = (name: string): ToolSpec => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: { agent_id: { type: 'string' } } },
});

const drafting = ['write_file', 'new_answer'].map((name) => spec(name));
const voting = [...drafting, spec('vote')];
const presenting = ['read_file', 'new_answer'].map((name) => spec(name));

function at(turnNo: number, call: number, tools: readonly ToolSpec[], slot = 1): ModelRequest {
  return requestOf({ step: { attempt: 1, slot, turnNo, call }, tools });
}

/** After a vote that was refused, with what can be voted for. */
function refused(targets: readonly string[], allowed = ['new_answer', 'vote']): ModelRequest {
  const reply = { status: 'rejected', message: 'No.', allowed_now: allowed, targets };
  const text = JSON.stringify(reply);
  const results = [{ toolCallId: 'x', name: 'vote', text, isError: true }];
  return { ...at(7, 4, voting), messages: [{ role: 'tool', results }] };
}

/** The calls of the choice, as `tool {arguments}`. */
function chosen(recording: Recording, request: ModelRequest): readonly string[] {
  return chooseCall(recording, request).toolCalls.map(
    (call) => `${call.name} ${call.argumentsJson}`,
  );
}

const recording = recorded([
  [[1, 1, 1], 'new_answer', { content: 'draft' }],
  [[1, 2, 1], 'vote', { agent_id: 'agent3', reason: 'a' }],
  [[1, 3, 1], 'vote', { agent_id: 'agent2.2', reason: 'b' }],
  [[2, 1, 1], 'new_answer', { content: 'other' }],
]);

describe('choosing what to play', () => {
  it('plays the recorded step', () => {
    expect(chosen(recording, at(2, 1, voting))).toEqual([
      'vote {"agent_id":"agent3","reason":"a"}',
    ]);
  });

  it.each([
    [['agent1', 'agent2'], 'agent2'],
    [['agent2.1', 'agent2.3', 'agent3.1'], 'agent2.3'],
    [['agent1.1', 'agent2.2'], 'agent2.2'],
    [['agent1.1', 'agent3.1'], 'agent3.1'],
    [[], 'agent2.2'],
  ])('votes after a refusal as it did last, among %j', (targets, target) => {
    expect(chosen(recording, refused(targets))).toEqual([
      `vote {"agent_id":"${target}","reason":"b"}`,
    ]);
  });

  it('drafts when it is told that there is nothing to vote for yet', () => {
    expect(chosen(recording, refused([], ['new_answer']))).toEqual([
      'new_answer {"content":"draft"}',
    ]);
  });

  it('gives stand-ins ids of their own', () => {
    const ids = [at(7, 1, voting), at(7, 2, voting)].map(
      (request) => chooseCall(recording, request).toolCalls[0]?.id,
    );
    expect(new Set(['x', ...ids]).size).toBe(3);
  });

  it('drafts again when it should vote but nobody may vote yet', () => {
    expect(chosen(recording, at(2, 1, drafting))).toEqual(['new_answer {"content":"draft"}']);
  });

  it('presents its last answer when no presentation was recorded', () => {
    const call = chooseCall(recording, at(4, 1, presenting, 2));
    expect(call.deltas.map(({ text }) => text)).toEqual(['other']);
    expect(call.toolCalls).toEqual([]);
  });

  it('presents as recorded, although the turn has another number now', () => {
    const presented = recorded(
      [
        [[1, 1, 1], 'new_answer', { content: 'draft' }],
        [[1, 2, 1], 'read_file', { path: 'a' }],
      ],
      [{ type: 'final-presentation-started', slot: 1, turnNo: 2, label: 'agent1.1' }],
    );
    expect(chosen(presented, at(5, 1, presenting))).toEqual(['read_file {"path":"a"}']);
  });

  it('plays the try that went well, not the failed one before it', () => {
    const error = { code: 'backend/rate-limited', message: 'Slow.', retryable: true };
    const retried = recorded([
      [[1, 1, 1], undefined, {}, { error }],
      [[1, 1, 1], 'new_answer', { content: 'at last' }],
    ]);
    expect(chosen(retried, at(1, 1, drafting))).toEqual(['new_answer {"content":"at last"}']);
  });

  it('does not play a call that was cut off when the recorded run went on', () => {
    const error = { code: 'cancelled/superseded', message: 'New answer.', retryable: false };
    const cut = recorded([
      [[1, 1, 1], undefined, {}, { error }],
      [[1, 2, 1], 'new_answer', { content: 'whole' }],
    ]);
    expect(chosen(cut, at(1, 1, drafting))).toEqual(['new_answer {"content":"whole"}']);
  });

  it('comes to an end even for an agent that is not in the recording', () => {
    expect(chooseCall(recording, at(1, 1, voting, 9))).toMatchObject({
      deltas: [],
      toolCalls: [],
    });
  });
});
