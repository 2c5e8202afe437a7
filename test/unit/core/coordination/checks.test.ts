import { describe, expect, it } from 'vitest';
import type { Label } from '../../../../src/base/ids';
import { bad, checkedEngine, decided, end, good, hand } from '../../../support/checked-run';
import { directive, effectsOf, eventOf, types } from '../../../support/engine';

describe('checks that are asked for', () => {
  it('begin with the untouched folders when the run begins', () => {
    const run = checkedEngine(2);
    expect(effectsOf(run, 'run-checks')).toEqual([
      { kind: 'run-checks', subject: { kind: 'baseline' }, snapshotId: null },
    ]);
  });

  it('are never asked for in a run without checks', () => {
    const run = checkedEngine(2, { checks: [] });
    hand(run, 1, 'one');
    expect(effectsOf(run, 'run-checks')).toEqual([]);
    expect(effectsOf(run, 'start-turn').at(-1)).toMatchObject({ slot: 1, shown: ['agent1.1'] });
  });

  it('follow each answer with its files', () => {
    const run = checkedEngine(2);
    expect(effectsOf(hand(run, 2, 'two'), 'run-checks')).toEqual([
      {
        kind: 'run-checks',
        subject: { kind: 'answer', label: 'agent2.1' },
        snapshotId: 'files-2.1',
      },
    ]);
  });

  it('are over at once for an answer whose files were not kept, which keeps nobody out', () => {
    const run = checkedEngine(2);
    const said = run.answer(1, 'one');
    expect(effectsOf(said, 'run-checks')).toEqual([]);
    expect(eventOf(said, 'checks-ended')?.report.results.map(({ status }) => status)).toEqual([
      'not-run',
      'not-run',
    ]);
    run.settle();
    expect(effectsOf(run, 'start-turn').at(-1)?.toolset.targets).toEqual(['agent1.1']);
  });

  it('of an answer that is replaced are aborted, and what is told of them later changes nothing', () => {
    const run = checkedEngine(2, { mode: 'decomposition' });
    hand(run, 1, 'one');
    const said = hand(run, 1, 'two');
    expect(effectsOf(said, 'abort-checks')).toEqual([{ kind: 'abort-checks', label: 'agent1.1' }]);
    expect(eventOf(said, 'checks-ended')).toMatchObject({
      subject: { label: 'agent1.1' },
      report: { results: [{ status: 'not-run' }, { status: 'not-run' }] },
    });
    expect(end(run, 'agent1.1', bad).events).toEqual([]);
    end(run, 'agent1.2', good);
    expect(effectsOf(hand(run, 1, 'three'), 'abort-checks')).toEqual([]);
  });

  it('end once: a second word about the same answer is not heard', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    end(run, 'agent1.1', bad);
    expect(end(run, 'agent1.1', good).events).toEqual([]);
  });

  it('tell nothing more of themselves once they have ended', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    end(run, 'agent1.1', good);
    const said = run.put({ kind: 'observed', event: started('agent1.1') });
    expect(said.events).toEqual([]);
  });
});

function started(label: Label) {
  return {
    type: 'checks-started',
    subject: { kind: 'answer', label },
    names: ['types', 'lint'],
  } as const;
}

describe('before the ballot', () => {
  it('nobody who has answered begins a turn while an answer is unchecked', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    expect(run.agent(1).status).toBe('waiting');
    expect(run.log.at(-1)?.event).toEqual({ type: 'agent-held', slot: 1, reason: 'checks' });
    end(run, 'agent1.1', good);
    expect(run.agent(1).status).toBe('running');
  });

  it('an agent at work goes on, and is shown an answer when its checks have ended', () => {
    const run = checkedEngine(3, { firstAnswerProtection: false });
    hand(run, 1, 'one');
    const before = directive(run.tool(2, 'read'));
    expect(before).toMatchObject({ update: [], toolset: { hasVote: false, targets: [] } });
    end(run, 'agent1.1', good);
    const after = directive(run.tool(2, 'read'));
    expect(after).toMatchObject({ update: ['agent1.1'], toolset: { targets: ['agent1.1'] } });
  });

  it('an agent that begins its draft anew is not shown what is not checked yet', () => {
    const run = checkedEngine(2, { backoffMs: 0 });
    hand(run, 1, 'one');
    run.fault(2, { kind: 'fatal' });
    run.settle();
    expect(run.agent(2)).toMatchObject({ status: 'running', turn: { turnNo: 2, shown: [] } });
  });

  it('a vote that comes early is no fault: the agent waits and votes again', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    const said = run.vote(2, 'agent1');
    run.settle();
    expect(types(said)).toEqual(['agent-held', 'agent-turn-ended']);
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(run.agent(2)).toMatchObject({ status: 'waiting', failedTurns: 0 });
    end(run, 'agent1.1', good);
    expect(run.agent(2).status).toBe('running');
    expect(run.agent(2).turn?.shown).toEqual(['agent1.1']);
    expect(eventOf(run.vote(2, 'agent1'), 'vote-cast')?.target).toBe('agent1.1');
  });

  it('an abstention waits as well', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    expect(types(run.vote(2, '', { isAbstention: true }))).toEqual([
      'agent-held',
      'agent-turn-ended',
    ]);
  });

  it('a failed agent does not end the vote while an answer is unchecked', () => {
    const run = checkedEngine(3, { voteInvalidation: 'superseded_only', maxFailedTurns: 1 });
    hand(run, 1, 'one');
    end(run, 'agent1.1', good);
    run.vote(1, 'agent1');
    hand(run, 2, 'two');
    run.fault(3, { kind: 'fatal' });
    run.settle();
    expect(run.state.selection).toBeNull();
    end(run, 'agent2.1', good);
    run.vote(2, 'agent1');
    expect(decided(run)).toMatchObject({ winner: 'agent1.1', by: 'rule' });
  });

  it('answers of agents that have all failed are decided about when their checks are in', () => {
    const run = checkedEngine(2, { mode: 'decomposition', maxFailedTurns: 1 });
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    run.fault(1, { kind: 'fatal' });
    run.fault(2, { kind: 'fatal' });
    expect(run.state.selection).toBeNull();
    end(run, 'agent1.1', bad);
    end(run, 'agent2.1', good);
    expect(decided(run)).toMatchObject({ winner: 'agent2.1', by: 'degraded' });
  });

  it('the untouched folders alone hold nobody up', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    end(run, 'agent1.1', good);
    expect(run.state.checks?.baseline ?? null).toBeNull();
    expect(run.agent(1).status).toBe('running');
  });
});

describe('checks of what the user has put together', () => {
  const mixed = {
    kind: 'checked',
    subject: { kind: 'mix', snapshotId: 'mix-1' },
    report: bad,
  } as const;

  it('are told after the run as well, again and again, and decide nothing', () => {
    const run = checkedEngine(1, { singleAgentVote: false, finalAnswerStrategy: 'winner_reuse' });
    hand(run, 1, 'one');
    end(run, 'agent1.1', good);
    expect(run.state.outcome).toBe('completed');
    const begun = { type: 'checks-started', subject: mixed.subject, names: ['types'] } as const;
    expect(types(run.put({ kind: 'observed', event: begun }))).toEqual(['checks-started']);
    expect(types(run.put(mixed))).toEqual(['checks-ended']);
    expect(types(run.put({ ...mixed, report: good }))).toEqual(['checks-ended']);
    expect(run.state.checks?.mixes['mix-1']?.report).toEqual(good);
    expect(decided(run)).toMatchObject({ winner: 'agent1.1' });
  });

  it('of answers are not told after the run', () => {
    const run = checkedEngine(1, { singleAgentVote: false, finalAnswerStrategy: 'winner_reuse' });
    hand(run, 1, 'one');
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(run.state.outcome).not.toBeNull();
    expect(end(run, 'agent1.1', bad).events).toEqual([]);
  });
});
