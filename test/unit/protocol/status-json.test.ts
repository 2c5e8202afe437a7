import { describe, expect, it } from 'vitest';
import { toStatusJson } from '../../../src/protocol/status-json';
import type { StatusJson } from '../../../src/protocol/status-shape';
import type { RunEvent } from '../../../src/run/events';
import { record, sampleRunEvents, stateAfter, upTo } from '../../support/sample-run';
import { talliesOf } from '../../support/tallies';

const now = 1_100_000;

function status(events: readonly RunEvent[]): StatusJson {
  const tallies = talliesOf(record(events));
  return toStatusJson(stateAfter(events), now, { logDir: '/runs/run-1', tallies });
}

describe('the status of a run', () => {
  it('tells the whole of a finished run', () => {
    const { agents, ...rest } = status(sampleRunEvents);
    expect(rest).toEqual({
      schema_version: 2,
      meta: {
        last_updated: 1100,
        start_time: 1000,
        elapsed_seconds: sampleRunEvents.length - 1,
        session_id: 'run-1',
        run_id: 'run-1',
        turn: 1,
        attempt: 1,
        log_dir: '/runs/run-1',
        question: 'Make parseDuration read all units.',
        context_paths: [{ path: '/project', permission: 'write' }],
      },
      coordination: {
        phase: 'done',
        active_agent: null,
        active_agents: [],
        completion_percentage: 100,
        is_final_presentation: false,
      },
      results: {
        votes: { 'agent2.1': 2 },
        void_votes: 1,
        winner: 'claude',
        winner_label: 'agent2.1',
        final_answer_preview: '# Done\n\nAll units.',
        agreement: {
          rule: 'majority',
          threshold: null,
          quorum: 1,
          electorate: [1, 2],
          eligible_weight: 2,
          ballots: 2,
          votes: { 'agent2.1': 2 },
          votes_from_others: { 'agent2.1': 1 },
          needed: 2,
          share: 1,
          satisfied: true,
          tie: false,
          tied: [],
          runoffs: 0,
          extra_rounds: 0,
          tie_break_used: null,
          decided_by: 'rule',
          unanimous: true,
          uninformed_ballots: 0,
          void_ballots: 1,
          result: 'decided',
          lead: 1,
          margin: 0,
          effective_voters: 3,
          ignored_self_votes: 0,
        },
      },
      costs: {
        total_estimated_cost: 0.75,
        total_input_tokens: 2000,
        total_output_tokens: 200,
        total_calls: 2,
        unmetered_calls: 0,
        estimated: false,
        system: { calls: 0, input_tokens: 0, output_tokens: 0, estimated_cost: 0 },
      },
      tools: {
        total_calls: 0,
        total_failures: 0,
        total_execution_time_ms: 0,
        by_tool: {},
      },
      rounds: {
        total_rounds: 5,
        by_outcome: { answer: 2, vote: 3 },
        total_round_input_tokens: 2000,
        total_round_output_tokens: 200,
        total_round_cost: 0.75,
      },
      historical_workspaces: [
        {
          answerId: 'agent1.1',
          agentId: 'gpt',
          answerNumber: 1,
          answerLabel: 'agent1.1',
          timestamp: 1005,
          workspacePath: 'gpt/19700101_001645_000005/workspace',
        },
        {
          answerId: 'agent2.1',
          agentId: 'claude',
          answerNumber: 1,
          answerLabel: 'agent2.1',
          timestamp: 1012,
          workspacePath: 'claude/19700101_001652_000012/workspace',
        },
      ],
      finish_reason: 'completed',
      finish_reason_details: 'completed',
      is_complete: true,
      is_partial: false,
      review_pending: true,
    });
    expect(Object.keys(agents)).toEqual(['gpt', 'claude']);
    expect(agents['gpt']).toMatchObject({
      slot: 1,
      answer_count: 1,
      latest_answer_label: 'agent1.1',
      vote_cast: {
        voted_for_agent: 'claude',
        voted_for_label: 'agent2.1',
        reason_preview: 'It handles\n1h 30m.',
      },
      votes_cast_total: 2,
      times_restarted: 2,
      error: null,
    });
  });

  it('counts valid votes only, and never moves the phase back when a vote becomes void', () => {
    const before = status(upTo('answer-submitted'));
    const voided = status(upTo('votes-voided'));
    expect(before.coordination.phase).toBe('enforcement');
    expect(voided.coordination.phase).toBe('enforcement');
    expect(voided.results).toMatchObject({ votes: {}, void_votes: 1 });
    expect(voided.agents['gpt']?.vote_cast).toBeNull();
  });

  it('begins in the first phase and says who works', () => {
    const early = status(sampleRunEvents.slice(0, 3));
    expect(early.coordination).toMatchObject({
      phase: 'initial_answer',
      active_agents: ['gpt', 'claude'],
      completion_percentage: 0,
    });
    expect(early.agents['gpt']?.status).toBe('streaming');
    expect(early).toMatchObject({ finish_reason: 'in_progress', is_complete: false });
  });

  it('is complete to 100 percent only at the end', () => {
    const all = sampleRunEvents
      .map((_event, i) => status(sampleRunEvents.slice(0, i + 1)))
      .map(({ coordination }) => coordination.completion_percentage);
    expect(all.at(-1)).toBe(100);
    expect(Math.max(...all.slice(0, -1))).toBeLessThan(100);
  });

  it.each([
    ['a price is unknown', { costUsd: null }],
    ['a service charges for more than tokens', { hasFees: true }],
    ['a call broke off', { usage: { inputTokens: 9, outputTokens: 1, isPartial: true } }],
  ])('has no cost at all rather than a wrong one when %s', (_when, members) => {
    const unpriced = sampleRunEvents.map((event) =>
      event.type === 'model-call-ended' && event.slot === 1 ? { ...event, ...members } : event,
    );
    const { costs, agents, rounds } = status(unpriced);
    expect([costs.total_estimated_cost, rounds.total_round_cost]).toEqual([null, null]);
    expect(agents['gpt']?.token_usage.estimated_cost).toBeNull();
    expect(agents['claude']?.token_usage.estimated_cost).toBe(0.25);
  });

  it.each([
    ['completed', 'completed', false],
    ['timeout', 'timeout', true],
    ['budget', 'budget', true],
    ['no-consensus', 'error', true],
    ['error', 'error', true],
    ['cancelled', 'error', true],
  ] as const)('ends as %s with the reason %s', (outcome, reason, isPartial) => {
    const events = sampleRunEvents.map((event): RunEvent =>
      event.type === 'run-ended' ? { type: 'run-ended', outcome } : event,
    );
    expect(status(events)).toMatchObject({
      finish_reason: reason,
      finish_reason_details: outcome,
      is_partial: isPartial,
    });
  });
});
