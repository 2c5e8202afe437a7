import { describe, expect, it } from 'vitest';
import { check } from '../../../support/checks';
import {
  recommendedSettings,
  type SettingsOverrides,
} from '../../../../src/core/coordination/profiles';
import {
  bad,
  checkedEngine,
  decided,
  end,
  good,
  hand,
  reasonOf,
  specs,
} from '../../../support/checked-run';
import { report } from '../../../support/checks';
import { directive, effectsOf, Engine, eventOf, types } from '../../../support/engine';

describe('an answer that fails a gate anew', () => {
  function withOneOut(overrides: SettingsOverrides = {}): Engine {
    const run = checkedEngine(3, { maxNewAnswersPerAgent: 1, ...overrides });
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    hand(run, 3, 'three');
    end(run, 'agent1.1', bad);
    end(run, 'agent2.1', good);
    end(run, 'agent3.1', good);
    return run;
  }

  it('is no target, neither of others nor of its author', () => {
    const run = withOneOut();
    expect(run.agent(2).turn?.shown).toEqual(['agent1.1', 'agent2.1', 'agent3.1']);
    expect(effectsOf(run, 'start-turn').at(-1)?.toolset.targets).toEqual(['agent2.1', 'agent3.1']);
    expect(eventOf(run.vote(2, 'agent1'), 'protocol-error')?.code).toBe('excluded_by_checks');
    expect(eventOf(run.vote(1, 'agent1.1'), 'protocol-error')?.code).toBe('excluded_by_checks');
  });

  it('is out for its author even where votes for oneself are not allowed', () => {
    const run = withOneOut({ selfVote: 'forbid' });
    expect(eventOf(run.vote(1, 'agent1'), 'protocol-error')?.code).toBe('excluded_by_checks');
  });

  it('is not among the approvals of a ballot', () => {
    const run = withOneOut();
    const cast = eventOf(run.vote(2, 'agent2', { approve: ['agent1', 'agent3'] }), 'vote-cast');
    expect(cast?.approve).toEqual(['agent3.1']);
  });

  it('does not win at the end of the time, and the agreement says that it was out', () => {
    const run = withOneOut();
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(decided(run)).toMatchObject({ winner: 'agent2.1', by: 'timeout' });
    expect(run.state.selection?.agreement).toMatchObject({
      excluded: ['agent1.1'],
      failedGates: { 'agent1.1': ['types'] },
    });
  });

  it('does not win when nobody votes', () => {
    const run = withOneOut({ skipVoting: true });
    expect(decided(run)).toMatchObject({ winner: 'agent2.1', by: 'no_vote' });
  });

  it('does not win when the others fail', () => {
    const run = withOneOut({ maxFailedTurns: 1 });
    for (const slot of [1, 2, 3]) {
      run.fault(slot, { kind: 'fatal' });
    }
    expect(decided(run)).toMatchObject({ winner: 'agent2.1', by: 'degraded' });
  });

  it('does not speak for a team that divides the work', () => {
    const run = checkedEngine(2, {
      mode: 'decomposition',
      presenterSlot: 1,
      maxNewAnswersPerAgent: 1,
    });
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    expect(run.state.selection).toBeNull();
    end(run, 'agent1.1', bad);
    end(run, 'agent2.1', good);
    expect(decided(run)).toMatchObject({ winner: 'agent2.1', by: 'presenter' });
  });

  it('is not put before a judge', () => {
    const run = withOneOut({ onSplit: 'judge', hasJudge: true, rule: 'unanimity' });
    run.vote(1, 'agent2');
    run.vote(2, 'agent2');
    run.vote(3, 'agent3');
    expect(run.state.poll).toEqual({ kind: 'judge', candidates: [2, 3] });
    run.put({ kind: 'judged', label: 'agent1', reason: 'It is short.' });
    expect(decided(run).winner).toBe('agent2.1');
  });

  it('can be chosen by the user, and the reason says what it fails', () => {
    const run = withOneOut();
    run.put({ kind: 'user', command: { kind: 'override', label: 'agent1.1' } });
    expect(decided(run)).toMatchObject({ winner: 'agent1.1', by: 'human' });
    expect(reasonOf(run)).toBe(
      'You chose agent1.1 without a vote. It fails "types", which passes in your folder.',
    );
  });

  it('may be mended at once, and its author is not held for the votes of others', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    end(run, 'agent1.1', bad);
    expect(run.agent(1).status).toBe('running');
    expect(effectsOf(run, 'start-turn').at(-1)?.toolset).toMatchObject({
      hasNewAnswer: true,
      hasVote: false,
    });
    expect(run.agent(2).status).toBe('waiting');
  });

  it('may be handed in again with the same words over other files', () => {
    const run = checkedEngine(2, { duplicateConsidersFiles: false });
    hand(run, 1, 'one');
    end(run, 'agent1.1', bad);
    expect(types(hand(run, 1, 'one'))).toContain('answer-submitted');
    end(run, 'agent1.2', good);
    expect(types(hand(run, 1, 'one'))).toContain('protocol-error');
  });

  it('does not come back when a better one of its author fails: what was replaced stays replaced', () => {
    const run = checkedEngine(1, { singleAgentVote: true, maxNewAnswersPerAgent: 2 });
    hand(run, 1, 'one');
    end(run, 'agent1.1', good);
    hand(run, 1, 'two');
    end(run, 'agent1.2', bad);
    expect(decided(run)).toEqual({ winner: null, by: 'gate_failed', outcome: 'no-consensus' });
  });

  it('only in checks that inform stands like any other', () => {
    const run = checkedEngine(1, { singleAgentVote: false });
    hand(run, 1, 'one');
    end(run, 'agent1.1', report({ types: 'passed', lint: 'failed' }));
    expect(decided(run)).toMatchObject({ winner: 'agent1.1', by: 'single' });
  });

  it('as the untouched folders do stands like any other', () => {
    const run = checkedEngine(1, { singleAgentVote: false });
    hand(run, 1, 'one');
    end(run, 'agent1.1', report({ types: 'failed' }, { baseline: { types: 'failed' } }));
    expect(decided(run)).toMatchObject({ winner: 'agent1.1' });
  });
});

describe('when no answer has passed', () => {
  it('nothing is chosen or presented, and the reason names the check', () => {
    const run = checkedEngine(3, {
      maxNewAnswersPerAgent: 1,
      finalAnswerStrategy: 'winner_present',
    });
    for (const slot of [1, 2, 3]) {
      hand(run, slot, `answer ${slot}`);
    }
    for (const slot of [1, 2, 3]) {
      end(run, `agent${slot}.1`, bad);
    }
    expect(decided(run)).toEqual({ winner: null, by: 'gate_failed', outcome: 'no-consensus' });
    expect(run.state.selection?.agreement.result).toBe('gate-failed');
    expect(effectsOf(run, 'start-presentation')).toEqual([]);
    expect(reasonOf(run)).toBe(
      'No candidate passed the checks: all 3 fail "types", which passes in your folder.',
    );
  });

  it('an agent that works alone tries again within its limits', () => {
    const run = checkedEngine(1, { singleAgentVote: false, maxNewAnswersPerAgent: 2 });
    hand(run, 1, 'one');
    expect(run.log.at(-1)?.event).toMatchObject({ type: 'agent-held', reason: 'checks' });
    end(run, 'agent1.1', bad);
    expect(run.agent(1).status).toBe('running');
    expect(run.agent(1).turn?.shown).toEqual(['agent1.1']);
    hand(run, 1, 'two');
    end(run, 'agent1.2', good);
    expect(decided(run)).toMatchObject({ winner: 'agent1.2', by: 'single' });
  });

  it('an agent is asked three times in a row at most, whatever its limits are', () => {
    const run = checkedEngine(1, { singleAgentVote: false, maxNewAnswersPerAgent: null });
    for (const n of [1, 2, 3]) {
      hand(run, 1, `try ${n}`);
      expect(run.state.outcome).toBeNull();
      end(run, `agent1.${n}`, bad);
    }
    expect(decided(run)).toMatchObject({ by: 'gate_failed' });
  });

  it('the end of the time does not choose one of them', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    end(run, 'agent1.1', bad);
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(decided(run)).toMatchObject({ winner: null, by: 'gate_failed' });
    expect(run.state.capReached).toBe('duration');
  });

  it('the failure of all agents does not choose one of them', () => {
    const run = checkedEngine(2, { maxFailedTurns: 1 });
    hand(run, 1, 'one');
    end(run, 'agent1.1', bad);
    run.fault(1, { kind: 'fatal' });
    run.fault(2, { kind: 'fatal' });
    expect(decided(run)).toMatchObject({ winner: null, by: 'gate_failed' });
  });
});

describe('an answer whose checks have not ended when the time is over', () => {
  it('is not chosen behind a gate, and the reason says that its checks had not ended', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(decided(run)).toMatchObject({ winner: null, by: 'gate_failed' });
    expect(run.state.selection?.agreement.unchecked).toEqual(['agent1.1']);
    expect(reasonOf(run)).toBe(
      'No candidate passed the checks: those of agent1.1 had not ended in time.',
    );
  });

  it('can be chosen where the checks only inform, and the reason says that they had not ended', () => {
    const run = checkedEngine(2, { checks: [check('lint', 'inform')] });
    hand(run, 1, 'one');
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(decided(run)).toMatchObject({ winner: 'agent1.1', by: 'timeout' });
    expect(reasonOf(run)).toBe(
      'agent1.1 was chosen when the time was up, without a vote. Its checks had not ended.',
    );
  });

  it('is waited for at a cap of calls, which checks do not use', () => {
    const run = checkedEngine(2, { finalAnswerStrategy: 'winner_reuse' }, { modelCalls: 3 });
    hand(run, 1, 'one');
    run.tool(2, 'read_file');
    run.tool(2, 'read_file');
    expect(run.state.capReached).toBe('model-calls');
    run.settle();
    expect(decided(run)).toMatchObject({ winner: null, by: undefined, outcome: null });
    end(run, 'agent1.1', good);
    expect(decided(run)).toMatchObject({ winner: 'agent1.1', by: 'budget', outcome: 'budget' });
  });

  it('is out when its checks fail after a cap of calls', () => {
    const run = checkedEngine(2, {}, { modelCalls: 2 });
    hand(run, 1, 'one');
    run.tool(2, 'read_file');
    end(run, 'agent1.1', bad);
    expect(decided(run)).toMatchObject({ winner: null, by: 'gate_failed' });
  });

  it('does not hold up the end of the time when a cap of calls waits for it', () => {
    const run = checkedEngine(2, {}, { modelCalls: 2 });
    hand(run, 1, 'one');
    run.tool(2, 'read_file');
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(decided(run)).toMatchObject({ winner: null, by: 'gate_failed' });
  });

  it('stands behind one that has passed', () => {
    const run = checkedEngine(3);
    hand(run, 1, 'one');
    hand(run, 3, 'three');
    end(run, 'agent3.1', good);
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(decided(run)).toMatchObject({ winner: 'agent3.1', by: 'timeout' });
  });

  it('can be chosen by the user before its checks have ended', () => {
    const run = checkedEngine(2);
    hand(run, 1, 'one');
    run.put({ kind: 'user', command: { kind: 'override', label: 'agent1.1' } });
    expect(reasonOf(run)).toBe('You chose agent1.1 without a vote. Its checks had not ended.');
  });
});

describe('an answer that has passed', () => {
  it('needs no better one: its author waits for what there is to vote for', () => {
    const run = checkedEngine(2, { selfVote: 'forbid', maxNewAnswersPerAgent: 2 });
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    end(run, 'agent1.1', good);
    end(run, 'agent2.1', bad);
    expect(run.agent(1)).toMatchObject({ status: 'waiting', revisions: [{ n: 1 }] });
    expect(run.agent(2).status).toBe('running');
    hand(run, 2, 'better');
    end(run, 'agent2.2', good);
    expect(run.agent(1).turn?.shown).toEqual(['agent1.1', 'agent2.2']);
  });

  it('wins a tie by its evidence, not by the order of the list', () => {
    const settings = recommendedSettings({
      ...{ checks: specs, selfVote: 'allow', rule: 'plurality', maxNewAnswersPerAgent: 1 },
      ...{ onSplit: 'tie_break', waitForFirstRival: false, finalAnswerStrategy: 'winner_reuse' },
    });
    const run = new Engine({ count: 2, settings });
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    end(run, 'agent1.1', report({ types: 'passed', lint: 'failed' }));
    end(run, 'agent2.1', good);
    run.vote(1, 'agent1');
    run.vote(2, 'agent2');
    expect(decided(run)).toMatchObject({ winner: 'agent2.1', by: 'tie_break' });
    expect(run.state.selection?.agreement.tieBreakUsed).toBe('evidence');
  });
});

describe('a turn in which nothing is left to do', () => {
  it('ends without a fault when its only target fails its checks', () => {
    const run = checkedEngine(2, { maxNewAnswersPerAgent: 2, selfVote: 'forbid' });
    hand(run, 1, 'one');
    hand(run, 2, 'two');
    end(run, 'agent1.1', good);
    end(run, 'agent2.1', good);
    hand(run, 1, 'more');
    end(run, 'agent1.2', bad);
    hand(run, 2, 'more of two');
    end(run, 'agent2.2', bad);
    const said = run.tool(1, 'read');
    expect(types(said)).toEqual(['tool-round-ended', 'agent-held', 'agent-turn-ended']);
    run.settle();
    expect(decided(run)).toMatchObject({ winner: null, by: 'gate_failed' });
  });

  it('is held while what it could vote for is checked, and spends no protocol error', () => {
    const run = checkedEngine(3, { maxNewAnswersPerAgent: 1, firstAnswerProtection: false });
    hand(run, 1, 'one');
    end(run, 'agent1.1', good);
    hand(run, 2, 'two');
    const said = run.tool(1, 'read');
    expect(types(said)).toEqual(['tool-round-ended']);
    expect(directive(said)).toMatchObject({ toolset: { targets: ['agent1.1'] } });
    const early = run.vote(1, 'agent1');
    expect(types(early)).toEqual(['agent-held', 'agent-turn-ended']);
  });
});
