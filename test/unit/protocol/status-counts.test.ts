// What `status.json` counts from the events: tools, turns, refused responses, and states between others.
import { describe, expect, it } from 'vitest';
import { toStatusJson } from '../../../src/protocol/status-json';
import type { StatusAgent, StatusJson } from '../../../src/protocol/status-shape';
import type { RunEvent } from '../../../src/run/events';
import { restartedRunEvents } from '../../support/restarted-run';
import { record, sampleRunEvents, stateAfter } from '../../support/sample-run';
import { talliesOf } from '../../support/tallies';

const status = (events: readonly RunEvent[]): StatusJson =>
  toStatusJson(stateAfter(events), 2_000_000, {
    logDir: '/logs',
    tallies: talliesOf(record(events)),
  });
const gpt = (events: readonly RunEvent[]): StatusAgent | undefined => status(events).agents['gpt'];

const begun = sampleRunEvents.slice(0, 3);
const where = { slot: 1, turnNo: 1 };
const error = { code: 'backend/timeout', message: 'Too slow.', retryable: true };

function called(names: readonly string[], reasoningTokens = 0): RunEvent {
  return {
    type: 'model-call-ended',
    ...where,
    ...{
      call: 1,
      text: '',
      usage: { inputTokens: 5, outputTokens: 3, reasoningTokens },
      costUsd: 0,
    },
    toolCalls: names.map((name) => ({ id: name, name, argumentsJson: '{}' })),
  };
}

function tool(index: number, isError: boolean): readonly RunEvent[] {
  const at = { ...where, call: 1, index, tool: 'read_file' };
  return [
    { type: 'tool-call-started', ...at, subject: 'a.js' },
    { type: 'tool-call-ended', ...at, isError, preview: '', outputBytes: 40 },
  ];
}

function refusal(attemptNo: number, code: 'unknown_tool' | 'self_vote'): RunEvent {
  return { type: 'protocol-error', ...where, attemptNo, code, message: 'No.' };
}

describe('the counts of a status', () => {
  it('have the calls of each tool, their failures and their time', () => {
    const { tools, agents } = status([...begun, ...tool(0, false), ...tool(1, true)]);
    expect(tools).toEqual({
      total_calls: 2,
      total_failures: 1,
      total_execution_time_ms: 2_000,
      by_tool: {
        read_file: {
          call_count: 2,
          success_count: 1,
          failure_count: 1,
          total_execution_time_ms: 2_000,
          avg_execution_time_ms: 1_000,
          output_bytes: 80,
        },
      },
    });
    expect(agents['gpt']?.tool_metrics).toEqual(tools);
    expect(agents['claude']?.tool_metrics.total_calls).toBe(0);
  });

  it('have every turn that is over, by what came of it', () => {
    const { rounds, agents } = status(restartedRunEvents);
    expect(rounds.by_outcome).toEqual({ answer: 4, vote: 6, post_evaluation: 1 });
    expect(agents['gpt']?.round_history.map(({ round, attempt }) => [round, attempt])).toEqual([
      ...[
        [1, 1],
        [2, 1],
        [3, 1],
      ],
      ...[
        [4, 2],
        [5, 2],
        [6, 2],
      ],
    ]);
    expect(agents['gpt']?.round_timing).toBeNull();
    expect(gpt(begun)?.round_timing).toEqual({ round_number: 1, round_start_time: 1001 });
  });

  it('have the thinking of a model', () => {
    expect(gpt([...begun, called([], 7)])?.token_usage.reasoning_tokens).toBe(7);
  });

  it('have refused responses by turn, and the tools that do not exist', () => {
    const events = [...begun, called(['fly']), refusal(1, 'unknown_tool'), refusal(2, 'self_vote')];
    expect(gpt(events)?.reliability).toEqual({
      enforcement_attempts: [
        { round: 1, attempt: 1, reason: 'unknown_tool', timestamp: 1004 },
        { round: 1, attempt: 2, reason: 'self_vote', timestamp: 1005 },
      ],
      by_round: { '1': { count: 2, reasons: ['unknown_tool', 'self_vote'] } },
      unknown_tools: ['fly'],
      workflow_errors: ['self_vote'],
      total_enforcement_retries: 2,
      outcome: 'recovered',
    });
    expect(gpt(begun)?.reliability.outcome).toBe('ok');
    const failed: RunEvent = {
      type: 'turn-failed',
      ...where,
      cause: 'protocol',
      error,
      failedTurns: 1,
    };
    expect(gpt([...events, failed])?.reliability.outcome).toBe('failed');
  });
});

describe('the status of an agent', () => {
  const ended = (outcome: 'restarted' | 'timeout'): RunEvent => ({
    type: 'agent-turn-ended',
    ...where,
    outcome,
  });

  it('is restarting between a turn that was ended for news and the next one', () => {
    expect(gpt([...begun, ended('restarted')])?.status).toBe('restarting');
    const again: RunEvent = {
      type: 'agent-turn-started',
      ...{ slot: 1, turnNo: 2, attempt: 1, shown: [] },
    };
    expect(gpt([...begun, ended('restarted'), again])?.status).toBe('streaming');
  });

  it('is a time-out or an error after a failed turn', () => {
    const failed = (code: string): RunEvent => ({
      type: 'turn-failed',
      ...where,
      ...{ cause: 'turn_timeout', error: { ...error, code }, failedTurns: 1 },
    });
    expect(gpt([...begun, failed('agent/timeout'), ended('timeout')])?.status).toBe('timeout');
    expect(gpt([...begun, failed('backend/network'), ended('timeout')])?.status).toBe('error');
  });

  it('is held while an answer of it is held back, and waiting at a gate', () => {
    const held: RunEvent = { type: 'agent-held', slot: 1, reason: 'fairness' };
    const draft = { text: 'x', snapshotId: null, changes: [] };
    expect(gpt([...begun, held])?.status).toBe('waiting');
    expect(gpt([...begun, { ...held, draft }])?.status).toBe('held');
  });
});

describe('the phase', () => {
  it('is evaluation while the finished work is looked at, and begins anew with an attempt', () => {
    const phases = restartedRunEvents.map(
      (_event, i) => status(restartedRunEvents.slice(0, i + 1)).coordination.phase,
    );
    const steps = phases.filter((phase, i) => phase !== phases[i - 1]);
    expect(steps).toEqual([
      ...['initial_answer', 'enforcement', 'presentation', 'evaluation'],
      ...['initial_answer', 'enforcement', 'presentation', 'done'],
    ]);
  });
});

it('counts what is asked on behalf of the run in the totals', () => {
  const events: readonly RunEvent[] = [
    ...begun,
    { type: 'system-call-started', call: 1, purpose: 'judge', model: 'm' },
    {
      type: 'system-call-ended',
      ...{ call: 1, text: '', usage: { inputTokens: 10, outputTokens: 2 }, costUsd: 0.5 },
    },
  ];
  expect(status(events).costs).toMatchObject({
    total_estimated_cost: 0.5,
    total_input_tokens: 10,
    total_calls: 1,
    system: { calls: 1, input_tokens: 10, output_tokens: 2, estimated_cost: 0.5 },
  });
});
