// What another rule would have made of the votes of a finished run, and what nobody can know.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import type { SettingsOverrides } from '../../../../src/core/coordination/profiles';
import { redecide } from '../../../../src/run/decision/redecide';
import type { DecidedBy } from '../../../../src/run/facts';
import type { RunState } from '../../../../src/run/state';
import { Engine } from '../../../support/engine';
import { play } from '../../../support/scenarios/player';
import { randomPlays } from '../../../support/scenarios/random-scripts';

interface Setup {
  readonly settings?: SettingsOverrides;
  readonly weights?: readonly number[];
  /** Votes in a second round. */
  readonly again?: readonly number[];
}

/** All agents have answered; `votes[i]` is the slot that agent i + 1 votes for, 0 where it does not vote. */
function finished(votes: readonly number[], { settings, weights, again }: Setup = {}): RunState {
  const engine = new Engine({
    count: votes.length,
    settings: compatSettings({ finalAnswerStrategy: 'winner_reuse', backoffMs: 0, ...settings }),
    ...(weights === undefined ? {} : { weights }),
  });
  votes.forEach((_vote, i) => engine.answer(i + 1, `answer ${i + 1}`));
  engine.settle();
  for (const round of again === undefined ? [votes] : [votes, again]) {
    round.forEach((target, i) => target > 0 && engine.vote(i + 1, `agent${target}`));
    engine.settle();
  }
  return engine.state;
}

describe('deciding again', () => {
  it('by the rules of the run changes nothing and leaves nothing open', () => {
    const state = finished([1, 1, 2]);
    const { before, after, changes, unknown } = redecide(state, {});
    expect(after).toEqual(before);
    expect(before.reason).toBe('agent1.1 won with 2 of 3 votes.');
    expect({ changes, unknown }).toEqual({ changes: [], unknown: [] });
  });

  it('says that a stricter rule would have chosen nothing', () => {
    const { after, changes, unknown } = redecide(finished([1, 1, 2]), {
      rule: 'unanimity',
      onSplit: 'fail',
    });
    expect(after.winner).toBeNull();
    expect(after.outcome).toBe('no-consensus');
    expect(after.reason).toBe(
      'Nothing was chosen: agent1.1 has the most, 2 of 3 votes; the rule asks for 3.',
    );
    expect(changes).toEqual([
      'Nothing would have been chosen instead of agent1.1.',
      'There would have been no consensus.',
      '3 of 3 would have been needed.',
    ]);
    expect(unknown).toEqual([]);
  });

  it('knows of a runoff that would have been held, not of its votes', () => {
    const { after, unknown } = redecide(finished([1, 2, 3, 1, 2]), {
      rule: 'majority',
      onSplit: 'runoff',
    });
    expect(after.agreement?.decidedBy).toBe('tie_break');
    expect(unknown).toEqual([
      'A runoff between agent1.1 and agent2.1 would have been held; its votes are not known.',
    ]);
  });

  it('counts a runoff that was held, where the rule would have led to the same', () => {
    const settings = { rule: 'majority', onSplit: 'runoff' } as const;
    const state = finished([1, 2, 3, 1, 2], { settings, again: [1, 2, 2, 1, 2] });
    expect(redecide(state, {}).after.agreement).toMatchObject({ decidedBy: 'runoff', runoffs: 1 });
    const { after, unknown } = redecide(state, { rule: 'supermajority' });
    expect(after).toMatchObject({
      winner: 'agent2.1',
      agreement: { decidedBy: 'fallback_plurality', runoffs: 1 },
    });
    expect(unknown).toEqual([]);
  });

  it('stops at the first round where that would have been enough', () => {
    const settings = { rule: 'unanimity', onSplit: 'another_round' } as const;
    const state = finished([1, 1, 2], { settings, again: [2, 2, 2] });
    const { before, after, changes } = redecide(state, { rule: 'majority' });
    expect(before.winner).toBe('agent2.1');
    expect(after).toMatchObject({ winner: 'agent1.1', outcome: 'decided' });
    expect(changes).toContain('agent1.1 would have been chosen instead of agent2.1.');
    expect(changes).toContain('No further round would have been held.');
  });

  it('leaves votes for oneself out, or does not know them', () => {
    const state = finished([1, 1, 3, 3, 3]);
    const ignoring = redecide(state, { selfVote: 'ignore' });
    expect(ignoring.after.agreement).toMatchObject({
      votes: { 'agent1.1': 1, 'agent3.1': 2 },
      ignoredSelfVotes: 2,
    });
    expect(ignoring.changes).toEqual([
      'agent1.1 would have 1 instead of 2.',
      'agent3.1 would have 2 instead of 3.',
    ]);
    expect(ignoring.unknown).toEqual([]);
    const refusing = redecide(state, { selfVote: 'by_panel_size' });
    expect(refusing.unknown).toEqual([
      'Agent 1 and Agent 3 voted for their own answer, which would not have been allowed; another vote could change this.',
    ]);
    const forbidding = finished([2, 1, 1], { settings: { selfVote: 'forbid' } });
    expect(redecide(forbidding, { selfVote: 'allow' }).unknown).toEqual([
      'Votes for oneself were not allowed, so nobody could cast one; some might have.',
    ]);
  });

  it('weighs votes anew, and shares those of a family', () => {
    const state = finished([1, 1, 2]);
    expect(redecide(state, { weights: { 3: 3 } }).after).toMatchObject({
      winner: 'agent2.1',
      agreement: { eligibleWeight: 5, votes: { 'agent1.1': 2, 'agent2.1': 3 } },
    });
    const agents = state.agents.map((agent, i) => ({
      ...agent,
      info: { ...agent.info, family: i < 2 ? 'one' : 'other' },
    }));
    const { after } = redecide({ ...state, agents }, { families: 'weight' });
    expect(after.agreement).toMatchObject({ eligibleWeight: 2, isTie: true, effectiveVoters: 2 });
  });

  it('ends a poll earlier with a smaller quorum, at the votes that were in', () => {
    const state = finished([3, 3, 2, 2, 2]);
    const { after, changes } = redecide(state, { quorum: 0.4 });
    expect(after).toMatchObject({ winner: 'agent3.1', agreement: { ballots: 2 } });
    expect(changes).toContain('2 ballots would have counted instead of 5.');
  });

  it('misses votes that were not waited for, unless they can change nothing', () => {
    const settings = { rule: 'majority', stop: 'exact' } as const;
    const state = finished([1, 1, 2], { settings });
    expect(state.selection?.agreement.earlyStop?.unasked).toBe(1);
    expect(redecide(state, { stop: 'full' })).toMatchObject({ changes: [], unknown: [] });
    expect(redecide(state, { rule: 'unanimity' }).unknown).toEqual([
      'There is no vote of Agent 3 that these rules would count; it could change this.',
    ]);
  });

  it('does not miss votes that nobody would have cast: the time was up', () => {
    const engine = new Engine({
      count: 3,
      settings: compatSettings({
        finalAnswerStrategy: 'winner_reuse',
        timeoutPresentation: 'reuse',
      }),
    });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent2');
    engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    const { after, unknown } = redecide(engine.state, { rule: 'unanimity' });
    expect(after.reason).toBe(
      'agent2.1 was chosen when the time was up, with 1 of 3 votes; 1 of the 3 ballots needed were in.',
    );
    expect(unknown).toEqual([]);
  });

  it('breaks a tie by another chain, and says what was not asked', () => {
    const state = finished([1, 2], { settings: { tieBreak: ['earliest'] } });
    const { after, changes, unknown } = redecide(state, { tieBreak: ['approvals', 'latest'] });
    expect(after.winner).toBe('agent2.1');
    expect(changes).toEqual([
      'agent2.1 would have been chosen instead of agent1.1.',
      'The tie would have been decided by being the latest answer.',
    ]);
    expect(unknown).toEqual([
      'No voter named further answers that it would accept; approvals could have decided the tie.',
    ]);
    expect(redecide(state, { tieBreak: ['evidence'] }).unknown).toEqual([
      'Not every answer was checked; checks could have decided the tie.',
    ]);
  });

  it('asks for a lead, and would have asked somebody outside', () => {
    const state = finished([1, 1, 1, 2, 2]);
    const { after, changes, unknown } = redecide(state, { margin: 2, onSplit: 'human' });
    expect(after.outcome).toBe('tie-broken');
    expect(changes).toContain('The most votes would have been enough, with a lead of 2.');
    expect(unknown).toEqual(['You would have been asked to choose between agent1.1 and agent2.1.']);
  });

  it('keeps the word of a judge that was asked', () => {
    const engine = new Engine({
      count: 2,
      settings: compatSettings({ rule: 'majority', onSplit: 'judge', hasJudge: true }),
    });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    engine.vote(2, 'agent2');
    engine.put({ kind: 'judged', label: 'agent2', reason: '' });
    const { after, unknown } = redecide(engine.state, { rule: 'supermajority' });
    expect(after).toMatchObject({ winner: 'agent2.1', agreement: { decidedBy: 'judge' } });
    expect(unknown).toEqual([]);
  });

  it('starts from what the team chose, whatever the user chose instead', () => {
    const engine = new Engine({
      count: 3,
      settings: compatSettings({ finalAnswerStrategy: 'winner_reuse' }),
    });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    for (const slot of [1, 2, 3]) {
      engine.vote(slot, 'agent2');
    }
    engine.put({ kind: 'user', command: { kind: 'override', label: 'agent1.1' } });
    expect(redecide(engine.state, {}).before).toMatchObject({
      winner: 'agent2.1',
      reason: 'agent2.1 won with 3 of 3 votes.',
    });
  });

  it('says nothing of a vote that is still going on', () => {
    const engine = new Engine();
    expect(redecide(engine.state, { rule: 'majority' }).unknown).toEqual([
      'The vote has not been decided yet.',
    ]);
  });

  it('asks for all where only those with an answer could vote', () => {
    const engine = new Engine({
      count: 3,
      settings: compatSettings({
        electorate: 'answered',
        maxNewAnswersGlobal: 2,
        finalAnswerStrategy: 'winner_reuse',
      }),
    });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    engine.vote(2, 'agent1');
    expect(engine.state.selection?.agreement.electorate).toEqual([1, 2]);
    const { after } = redecide(engine.state, { electorate: 'all', rule: 'unanimity' });
    expect(after.agreement?.electorate).toEqual([1, 2, 3]);
  });
});

/** Ends that come from the votes, whoever played the run. */
const byVotes: readonly DecidedBy[] = [
  'rule',
  'runoff',
  'tie_break',
  'fallback_plurality',
  'no_consensus',
  'timeout',
  'budget',
];

describe('any run', () => {
  it('is decided again as it was, by its own rules', () => {
    let seen = 0;
    fc.assert(
      fc.property(randomPlays, (script) => {
        const { state } = play(script);
        const agreement = state.selection?.agreement;
        if (agreement === undefined || !byVotes.includes(agreement.decidedBy)) {
          return;
        }
        if (agreement.ballots === 0 || state.settings.skipVoting) {
          return;
        }
        seen += 1;
        const { before, after } = redecide(state, {});
        expect(after.winner).toBe(before.winner);
        expect(after.agreement?.votes).toEqual(agreement.votes);
        expect(after.outcome).toBe(before.outcome);
        expect(after.agreement?.decidedBy).toBe(agreement.decidedBy);
      }),
      { numRuns: Number(process.env['SOAK_RUNS'] ?? 300), seed: 11 },
    );
    expect(seen).toBeGreaterThan(10);
  });
});
