import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../../src/run/check-facts';
import { checkedFirst, compareResults, evidenceOf, isUnchecked } from '../../../../src/run/checks';
import { redecide } from '../../../../src/run/decision/redecide';
import { reasonFor } from '../../../../src/run/decision/reason';
import type { RunState } from '../../../../src/run/state';
import { bad, checkedEngine, end, good, hand, reasonOf } from '../../../support/checked-run';
import { check, report } from '../../../support/checks';
import type { Engine } from '../../../support/engine';
import { play } from '../../../support/scenarios/player';
import { randomPlays } from '../../../support/scenarios/random-scripts';

/** Three answers; what their checks come to, in order of slot. `null`: they do not end. */
function answered(reports: readonly (typeof good | null)[], settings = {}): Engine {
  const run = checkedEngine(reports.length, {
    ...{ maxNewAnswersPerAgent: 1, finalAnswerStrategy: 'winner_reuse', ...settings },
  });
  reports.forEach((_report, i) => hand(run, i + 1, `answer ${i + 1}`));
  reports.forEach((one, i) => one !== null && end(run, `agent${i + 1}.1`, one));
  return run;
}

describe('a result against that of the untouched folders', () => {
  it.each<[CheckResult['status'], CheckResult['status'] | undefined, CheckResult['comparison']]>([
    ['passed', 'passed', 'same'],
    ['failed', 'failed', 'same'],
    ['timed-out', 'failed', 'same'],
    ['failed', 'passed', 'regression'],
    ['timed-out', 'passed', 'regression'],
    ['passed', 'failed', 'fixed'],
    ['passed', 'timed-out', 'fixed'],
    ['not-run', 'passed', 'unknown'],
    ['failed', 'not-run', 'unknown'],
    ['failed', undefined, 'unknown'],
  ])('%s after %s is %s', (now, before, comparison) => {
    const baseline = before === undefined ? undefined : { status: before };
    expect(compareResults({ status: now }, baseline)).toBe(comparison);
  });
});

describe('evidence', () => {
  it('is the share of checks that passed, without those that were not run', () => {
    const half = report({ types: 'passed', lint: 'failed' }, { baseline: { lint: 'failed' } });
    const one = report({ types: 'passed', lint: 'not-run' });
    const none = report({ types: 'not-run', lint: 'not-run' });
    const { state } = answered([half, one, none]);
    const all = (['agent1.1', 'agent2.1', 'agent3.1'] as const).map((l) => evidenceOf(state, l));
    expect(all).toEqual([0.5, 1, null]);
  });

  it('of the answers is part of what is decided about again', () => {
    const lint = report({ types: 'passed', lint: 'failed' });
    const run = answered([lint, good], { tieBreak: ['config_order'] });
    run.vote(1, 'agent1');
    run.vote(2, 'agent2');
    const { before, after, unknown } = redecide(run.state, { tieBreak: ['evidence'] });
    expect([before.winner, after.winner]).toEqual(['agent1.1', 'agent2.1']);
    expect(unknown).toEqual([]);
  });
});

describe('answers without a vote', () => {
  it('that were checked go before those whose checks have not ended', () => {
    const { state } = answered([null, good]);
    const answers = state.agents.flatMap(({ revisions }) => revisions);
    expect(isUnchecked(state, 'agent1.1')).toBe(true);
    expect(checkedFirst(state, answers).map(({ label }) => label)).toEqual(['agent2.1']);
    const first = answers.slice(0, 1);
    expect(checkedFirst(state, first)).toEqual(first);
  });
});

describe('the reason', () => {
  const types = ['types'];

  it.each([
    [{ 'agent1.1': types }, 'agent1.1 fails "types", which passes in your folder'],
    [
      { 'agent1.1': types, 'agent2.1': ['types', 'build'] },
      'both fail "types", which passes in your folder',
    ],
    [
      { 'agent1.1': ['types', 'build'], 'agent2.1': ['types', 'build'] },
      'both fail "types" and "build", which pass in your folder',
    ],
    [
      { 'agent2.1': ['build'], 'agent1.1': types },
      'agent1.1 fails "types" and agent2.1 fails "build", which pass in your folder',
    ],
  ])('of a run in which nothing passed names the checks: %j', (failedGates, words) => {
    const { agreement } = answered([bad]).state.selection ?? {};
    expect(agreement).toBeDefined();
    if (agreement !== undefined) {
      expect(reasonFor({ ...agreement, failedGates }, null, 2)).toBe(
        `No candidate passed the checks: ${words}.`,
      );
    }
  });

  it('of an ordinary choice does not speak of answers that were out', () => {
    const run = answered([bad, good, good]);
    run.vote(1, 'agent2');
    run.vote(2, 'agent2');
    run.vote(3, 'agent3');
    expect(reasonOf(run)).toBe('agent2.1 won with 2 of 3 votes.');
  });
});

describe('deciding again', () => {
  it('leaves out what failed a gate, and changes nothing by the same rules', () => {
    const run = answered([bad, good, good], { tieBreak: ['config_order'] });
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    const { before, after } = redecide(run.state, {});
    expect(before.winner).toBe('agent2.1');
    expect(after).toEqual(before);
  });

  it('finds no candidate where none passed', () => {
    const { before, after, changes } = redecide(answered([bad, bad]).state, { rule: 'unanimity' });
    expect(before.outcome).toBe('gate-failed');
    expect(after).toMatchObject({ winner: null, outcome: 'gate-failed', reason: before.reason });
    expect(changes.filter((change) => change.includes('chosen'))).toEqual([]);
  });

  it('says that checks which had not ended could have kept an answer out', () => {
    const run = answered([null]);
    run.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(redecide(run.state, {}).unknown).toContain(
      'The checks of agent1.1 had not ended; a failure would have kept it out.',
    );
  });

  it('never chooses an answer that is out, by whatever rule', () => {
    const rules = fc.record({
      rule: fc.constantFrom('plurality', 'majority', 'unanimity'),
      quorum: fc.constantFrom(0.5, 1),
      selfVote: fc.constantFrom('allow', 'forbid', 'ignore'),
      onSplit: fc.constantFrom('tie_break', 'fail'),
    });
    fc.assert(
      fc.property(randomPlays, rules, fc.nat(), (script, overrides, seed) => {
        const state = checked(script, seed);
        const { winner, agreement } = redecide(state, overrides).after;
        expect(winner === null ? [] : (agreement?.excluded ?? [])).not.toContain(winner);
      }),
      { numRuns: 150, seed: 20_242 },
    );
  });
});

/** A random run with a gate that about half of its answers fail. */
function checked(script: Parameters<typeof play>[0], seed: number): RunState {
  const { started } = script;
  const settings = { ...started.settings, checks: [check('types')] };
  return play({
    ...script,
    started: { ...started, settings },
    checks: (_subject, id) => ({
      report: (Number(id?.split('-')[1] ?? 0) + seed) % 2 === 0 ? good : bad,
      takes: 10,
    }),
  }).state;
}
