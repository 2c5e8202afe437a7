// What the files of a run say, by the ids of the cases that readers of MassGen's files rely on.
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../../src/cli/exit-codes';
import { fromEventLine } from '../../../../src/protocol/artifacts/event-line';
import type { EventLine } from '../../../../src/protocol/artifacts/event-line';
import type { BallotFile } from '../../../../src/protocol/artifacts/ballot-file';
import { finalAnswerPath } from '../../../../src/protocol/artifacts/places';
import { toStatusAgreement } from '../../../../src/protocol/status-results';
import type { StatusJson } from '../../../../src/protocol/status-shape';
import type { RecordedEvent } from '../../../../src/run/events';
import { apply, initialState } from '../../../../src/run/reducer';
import type { RunState } from '../../../../src/run/state';
import { goldenLogs, scenarioLog, scenarios } from '../../../support/known-logs';
import { filesOf, type Files, jsonOf, named, textOf } from '../../../support/project';
import { record, sampleRunEvents } from '../../../support/sample-run';

const stateOf = (events: readonly RecordedEvent[]): RunState => events.reduce(apply, initialState);
const statusOf = (files: Files): StatusJson => jsonOf(files, 'status.json') as StatusJson;
const upTo = (events: readonly RecordedEvent[], at: number): readonly RecordedEvent[] =>
  events.filter((recorded) => recorded.at <= at);

describe('the files of a run', () => {
  it('X1 two agents agree: success, complete, with the winner and its votes', () => {
    const log = scenarioLog('C01');
    expect(exitCodeOf(stateOf(log))).toBe(0);
    expect(statusOf(filesOf(log))).toMatchObject({
      coordination: { phase: 'done', completion_percentage: 100 },
      finish_reason: 'completed',
      results: { winner: 'A', votes: { 'agent1.1': 2 } },
    });
  });

  it('X2 a void vote is gone from the count, and the phase does not move back', () => {
    const log = scenarioLog('C02');
    const before = statusOf(filesOf(upTo(log, 199)));
    const after = statusOf(filesOf(upTo(log, 200)));
    expect(before.results.votes).toEqual({ 'agent1.1': 1 });
    expect(before.coordination.phase).toBe('initial_answer');
    expect(after.results).toMatchObject({ votes: {}, void_votes: 1 });
    expect(after.agents['A']?.vote_cast).toBeNull();
    const order = ['initial_answer', 'enforcement', 'presentation', 'done'];
    const phases = log.map((_event, i) =>
      order.indexOf(statusOf(filesOf(log.slice(0, i + 1))).coordination.phase),
    );
    expect(phases).toEqual(phases.toSorted((a, b) => a - b));
  });

  it('X3 the deadline with an answer: time-out, partial, and the answer is there', () => {
    const log = scenarioLog('C53');
    const state = stateOf(log);
    const files = filesOf(log);
    expect(exitCodeOf(state)).toBe(3);
    expect(statusOf(files)).toMatchObject({ is_partial: true, finish_reason: 'timeout' });
    expect(finalAnswerPath(state)).toBe('final/B/answer.txt');
    expect(textOf(files, 'final/B/answer.txt')).toBe('B1');
  });

  it('X4 the deadline without an answer: time-out, and no answer file', () => {
    const log = scenarioLog('C56');
    const files = filesOf(log);
    expect(exitCodeOf(stateOf(log))).toBe(3);
    expect(named(files, 'answer.txt')).toEqual([]);
    expect(finalAnswerPath(stateOf(log))).toBeUndefined();
    expect(statusOf(files).is_partial).toBe(false);
  });

  it('X5 all agents failed: no result, with the last error of each', () => {
    const log = scenarioLog('C50');
    expect(exitCodeOf(stateOf(log))).toBe(2);
    const { agents, finish_reason } = statusOf(filesOf(log));
    expect(finish_reason).toBe('error');
    expect(Object.values(agents).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(Object.values(agents).every(({ error }) => (error?.message ?? '') !== '')).toBe(true);
  });

  it('X6 stopped by the user: interrupted, with both answers', () => {
    const log = scenarioLog('C57');
    const files = filesOf(log);
    expect(exitCodeOf(stateOf(log))).toBe(4);
    const answers = named(files, 'answer.txt').map((path) => textOf(files, path));
    expect(answers).toEqual(['A1', 'B1']);
  });

  it('X7 no consensus: no result, said so, and the answers are kept', () => {
    const log = scenarioLog('C16');
    const files = filesOf(log);
    expect(exitCodeOf(stateOf(log))).toBe(2);
    expect(statusOf(files)).toMatchObject({
      finish_reason_details: 'no-consensus',
      results: { winner: null, agreement: { decided_by: 'no_consensus' } },
    });
    expect(jsonOf(files, 'vote.json')).toMatchObject({ winner: null, consensus_reached: false });
    expect(named(files, 'answer.txt')).toHaveLength(2);
  });

  it('X9 events.jsonl alone gives the same state, table and record of every scenario', () => {
    const logs = [...scenarios.keys()].map(scenarioLog);
    for (const log of [...logs, ...goldenLogs.values(), record(sampleRunEvents)]) {
      const files = filesOf(log);
      const again = textOf(files, 'events.jsonl')
        .trimEnd()
        .split('\n')
        .flatMap((line) => fromEventLine(JSON.parse(line) as EventLine) ?? []);
      expect(stateOf(again)).toEqual(stateOf(log));
      const second = filesOf(again);
      expect([...second.keys()]).toEqual([...files.keys()]);
      for (const [path, text] of files) {
        expect(second.get(path)).toBe(text);
      }
      const { selection } = stateOf(again);
      const file = named(files, 'vote.json').includes('vote.json')
        ? (jsonOf(files, 'vote.json') as { agreement: unknown }).agreement
        : null;
      const kept = selection === null ? null : toStatusAgreement(selection.agreement);
      expect(JSON.stringify(file)).toBe(JSON.stringify(kept));
    }
  });

  it('X11 a service that reports no tokens: the cost is marked, and not 0', () => {
    const unmetered = sampleRunEvents.map((event) =>
      event.type === 'model-call-ended' && event.slot === 1
        ? { ...event, usage: {}, costUsd: null }
        : event,
    );
    const { costs, agents } = statusOf(filesOf(record(unmetered)));
    expect(costs).toMatchObject({ estimated: true, total_estimated_cost: null });
    expect(agents['gpt']?.token_usage).toMatchObject({ estimated: true, estimated_cost: null });
    expect(agents['claude']?.token_usage).toMatchObject({ estimated: false, estimated_cost: 0.25 });
  });

  it('X13 one vote.json for each accepted vote, and four of eight void by the runoff', () => {
    const files = filesOf(scenarioLog('C13'));
    const votes = named(files, 'vote.json')
      .filter((path) => path !== 'vote.json')
      .map((path) => jsonOf(files, path) as BallotFile);
    expect(votes).toHaveLength(8);
    expect(votes.filter((vote) => vote.void).map((vote) => vote.voided_by)).toEqual(
      Array.from({ length: 4 }, () => 'runoff'),
    );
    expect(votes.filter((vote) => !vote.void).map(({ phase }) => phase)).toEqual(
      Array.from({ length: 4 }, () => 'runoff'),
    );
  });
});
