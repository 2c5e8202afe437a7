// Who chooses when the votes alone do not: a judge, the user, or the same voters once more.
import { describe, expect, it } from 'vitest';
import { displayOrder } from '../../../../src/core/coordination/display-order';
import { handle } from '../../../../src/core/coordination/handle';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import type { SettingsOverrides } from '../../../../src/core/coordination/profiles';
import { Engine, effectsOf, eventOf, startedBy, types } from '../../../support/engine';
import type { Said } from '../../../support/engine';

/** Agents have answered; `votes[i]` is the slot that agent i + 1 votes for. */
function voted(
  votes: readonly number[],
  changes: SettingsOverrides,
): { engine: Engine; said: Said } {
  const settings = compatSettings({
    rule: 'majority',
    backoffMs: 0,
    finalAnswerStrategy: 'winner_reuse',
    ...changes,
  });
  const engine = new Engine({ count: votes.length, settings });
  votes.forEach((_target, i) => engine.answer(i + 1, `answer ${i + 1}`));
  engine.settle();
  let said: Said = { events: [], effects: [] };
  votes.forEach((target, i) => {
    said = target === 0 ? said : engine.vote(i + 1, `agent${target}`);
  });
  return { engine, said };
}

const bySplit = [1, 1, 2, 2];

describe('a judge', () => {
  const judge = { onSplit: 'judge', hasJudge: true } as const;

  it('is asked about the leaders, and nobody works meanwhile', () => {
    const { engine, said } = voted(bySplit, judge);
    expect(eventOf(said, 'judge-asked')?.candidates).toEqual([1, 2]);
    expect(effectsOf(said, 'ask-judge')).toEqual([
      { kind: 'ask-judge', call: 1, candidates: ['agent1.1', 'agent2.1'] },
    ]);
    expect(effectsOf(said, 'set-timer').map(({ timer }) => timer.kind)).toEqual(['judge']);
    expect(engine.state.poll.kind).toBe('judge');
    expect(engine.settle()).toEqual({ events: [], effects: [] });
  });

  it('decides with its word, and the numbers stay those of the vote', () => {
    const { engine } = voted(bySplit, judge);
    const said = engine.put({ kind: 'judged', label: 'agent2.1', reason: 'It is complete.' });
    expect(types(said)).toEqual([
      'judge-decided',
      'poll-closed',
      'final-agent-selected',
      'final-answer',
      'run-ended',
    ]);
    expect(effectsOf(said, 'clear-timer').map(({ timer }) => timer.kind)).toContain('judge');
    expect(engine.state.selection).toMatchObject({
      winner: { label: 'agent2.1' },
      agreement: { decidedBy: 'judge', result: 'tie-broken', ballots: 4, isSatisfied: false },
    });
    expect(engine.state.judgeVerdict).toEqual({ label: 'agent2.1', reason: 'It is complete.' });
  });

  it.each(['', 'agent9', 'agent3', 'agent2.7', 'the second'])(
    'that says "%s" leaves it to the tie chain',
    (label) => {
      const { engine } = voted(bySplit, { ...judge, tieBreak: ['latest'] });
      engine.put({ kind: 'judged', label, reason: '' });
      expect(engine.state.judgeVerdict?.label).toBeNull();
      expect(engine.state.selection).toMatchObject({
        winner: { slot: 2 },
        agreement: { decidedBy: 'tie_break', tieBreakUsed: 'latest' },
      });
    },
  );

  it('that does not answer in time leaves it to the tie chain, and is not heard any more', () => {
    const { engine } = voted(bySplit, judge);
    engine.put({ kind: 'timer', timer: { kind: 'judge' } });
    expect(engine.state.selection?.agreement.decidedBy).toBe('tie_break');
    expect(engine.put({ kind: 'judged', label: 'agent2', reason: '' }).events).toEqual([]);
  });

  it('is not asked when there is none, when the rule is met, or at a cap', () => {
    expect(types(voted(bySplit, { onSplit: 'judge' }).said)).not.toContain('judge-asked');
    expect(types(voted([1, 1, 1, 2], judge).said)).not.toContain('judge-asked');
  });

  it('waits no longer than the run', () => {
    const { engine } = voted(bySplit, judge);
    const said = engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(engine.state.selection?.agreement.decidedBy).toBe('timeout');
    expect(effectsOf(said, 'clear-timer').map(({ timer }) => timer.kind)).toContain('judge');
  });

  it('sees the answers in an order of its own', () => {
    const orders = Array.from({ length: 12 }, (_unused, i) => {
      const { said } = voted(bySplit, { ...judge, displayOrder: 'shuffle', runSeed: `s${i}` });
      return effectsOf(said, 'ask-judge')[0]?.candidates.join();
    });
    expect(new Set(orders).size).toBe(2);
  });
});

describe('the user in a split', () => {
  const human = { onSplit: 'human', hasJudge: true, humanTimeoutMs: 5_000 } as const;

  it('is shown all answers and chooses one', () => {
    const { engine, said } = voted([1, 1, 2, 3], human);
    expect(effectsOf(said, 'ask-human')[0]?.candidates).toHaveLength(4);
    expect(effectsOf(said, 'set-timer')).toEqual([
      { kind: 'set-timer', timer: { kind: 'judge' }, delayMs: 5_000 },
    ]);
    const chosen = engine.put({ kind: 'judged', label: 'agent4', reason: '' });
    expect(eventOf(chosen, 'user-override')).toEqual({
      type: 'user-override',
      label: 'agent4.1',
      when: 'before',
      previous: null,
    });
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 4 },
      agreement: { decidedBy: 'human' },
    });
  });

  it('can answer by choosing the answer itself', () => {
    const { engine } = voted(bySplit, human);
    engine.put({ kind: 'user', command: { kind: 'override', label: 'agent2.1' } });
    expect(engine.state.selection?.agreement.decidedBy).toBe('human');
  });

  it('who does not answer leaves it to the tie chain', () => {
    const { engine } = voted(bySplit, human);
    engine.put({ kind: 'timer', timer: { kind: 'judge' } });
    expect(engine.state.selection?.agreement.decidedBy).toBe('tie_break');
    expect(engine.state.override).toBeNull();
  });
});

const choose = (engine: Engine, slot: number): Said =>
  engine.put({ kind: 'user', command: { kind: 'override', label: `agent${slot}.1` } });

describe('the user instead of the team', () => {
  it('closes the poll with its choice, and running turns end', () => {
    const { engine } = voted([1, 0, 0], {});
    const said = choose(engine, 3);
    expect(eventOf(said, 'poll-closed')).toMatchObject({ cause: 'user', ballots: 1 });
    expect(effectsOf(said, 'abort-turn').map(({ slot }) => slot)).toEqual([2, 3]);
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { label: 'agent3.1' },
      override: { label: 'agent3.1', when: 'before', previous: null },
      selection: { agreement: { decidedBy: 'human', result: 'no-quorum' } },
    });
  });

  it('chooses another answer while the winner presents; the new one presents then', () => {
    const { engine, said } = voted([2, 2, 2], { finalAnswerStrategy: 'winner_present' });
    expect(effectsOf(said, 'start-presentation')[0]?.slot).toBe(2);
    const changed = choose(engine, 1);
    expect(effectsOf(changed, 'abort-turn')[0]?.slot).toBe(2);
    expect(effectsOf(changed, 'start-presentation')).toMatchObject([
      { slot: 1, label: 'agent1.1' },
    ]);
    expect(engine.state.presentation).toEqual({ slot: 1, label: 'agent1.1' });
    engine.report(1, { kind: 'presented', call: 1, text: 'Final.' });
    expect(engine.state.finalAnswer).toMatchObject({ label: 'agent1.1', text: 'Final.' });
    expect(engine.state.override).toMatchObject({ when: 'after', previous: 'agent2.1' });
  });

  it('chooses another answer after the end, and can go back to that of the team', () => {
    const { engine } = voted([2, 2, 2], {});
    const team = engine.state;
    expect(team.outcome).toBe('completed');
    const said = choose(engine, 3);
    expect(types(said)).toEqual(['user-override', 'final-agent-selected', 'final-answer']);
    expect(said.effects).toEqual([]);
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { label: 'agent3.1', text: 'answer 3', source: 'reused' },
      selection: {
        winner: { label: 'agent3.1' },
        agreement: { decidedBy: 'human', votes: { 'agent2.1': 3 } },
      },
    });
    choose(engine, 1);
    expect(engine.state.override).toMatchObject({ label: 'agent1.1', previous: 'agent2.1' });
    choose(engine, 2);
    expect(engine.state.override).toBeNull();
    expect(engine.state.selection).toEqual(team.selection);
    expect(engine.state.finalAnswer).toEqual(team.finalAnswer);
  });

  it('chooses where the team chose nothing', () => {
    const { engine } = voted(bySplit, { onSplit: 'fail' });
    expect(engine.state.selection?.winner).toBeNull();
    choose(engine, 2);
    expect(engine.state).toMatchObject({
      outcome: 'no-consensus',
      override: { previous: null },
      selection: { winner: { slot: 2 }, agreement: { decidedBy: 'human' } },
    });
  });

  it('chooses after a run that was cut off before the vote', () => {
    const { engine } = voted([0, 0], {});
    engine.put({ kind: 'cancel' });
    choose(engine, 1);
    expect(engine.state.finalAnswer?.label).toBe('agent1.1');
  });

  it('cannot choose what does not stand, or what is chosen already', () => {
    const { engine } = voted([2, 2, 2], {});
    expect(choose(engine, 9).events).toEqual([]);
    expect(choose(engine, 2).events).toEqual([]);
    const old = engine.put({ kind: 'user', command: { kind: 'override', label: 'agent1.4' } });
    expect(old.events).toEqual([]);
  });
});

describe('a close pair', () => {
  const dual = { dualPass: 'close', displayOrder: 'shuffle' } as const;

  it('is compared again by all, in the opposite order', () => {
    const { engine, said } = voted([1, 1, 2], dual);
    expect(eventOf(said, 'dual-pass-started')?.candidates).toEqual([1, 2]);
    expect(eventOf(said, 'votes-voided')).toMatchObject({ cause: 'dual_pass', voters: [1, 2, 3] });
    const before = voted([0, 0, 0], dual).engine.state;
    for (const viewer of [1, 2, 3]) {
      const first = displayOrder(before, viewer).filter((label) => label !== 'agent3.1');
      expect(displayOrder(engine.state, viewer)).toEqual([...first].reverse());
    }
  });

  it('counts voters that choose the same again, and lets the others abstain', () => {
    const { engine } = voted([1, 1, 2], dual);
    engine.settle();
    engine.vote(1, 'agent1');
    const turned = engine.vote(2, 'agent2');
    expect(types(turned)).toContain('agent-abstained');
    engine.vote(3, 'agent2');
    expect(engine.state.selection?.agreement).toMatchObject({
      decidedBy: 'tie_break',
      electorate: [1, 3],
      votes: { 'agent1.1': 1, 'agent2.1': 1 },
    });
    expect(engine.agent(2).ballots.at(-1)?.phase).toBe('dual_pass');
  });

  it('decides by the rule when it is not close any more, and never a third time', () => {
    const { engine } = voted([1, 1, 2], dual);
    engine.settle();
    engine.vote(1, 'agent1');
    engine.vote(2, 'agent1');
    engine.vote(3, 'agent2');
    expect(engine.state.selection?.agreement).toMatchObject({
      decidedBy: 'rule',
      votes: { 'agent1.1': 2, 'agent2.1': 1 },
    });
  });

  it('goes to the chain when nobody chooses the same again', () => {
    const { engine } = voted([1, 2], dual);
    engine.settle();
    engine.vote(1, 'agent2');
    engine.vote(2, 'agent1');
    engine.settle();
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 1 },
      agreement: { decidedBy: 'no_vote', ballots: 0, tieBreakUsed: 'config_order' },
    });
  });

  it('is left alone with a clear lead, among three, and where it is switched off', () => {
    expect(types(voted([1, 1, 1, 2], dual).said)).not.toContain('dual-pass-started');
    expect(types(voted([1, 2, 3], dual).said)).not.toContain('dual-pass-started');
    expect(types(voted([1, 1, 2], {}).said)).not.toContain('dual-pass-started');
  });
});

describe('a lead that is asked for', () => {
  it('makes a split of what a majority alone would decide', () => {
    const { engine } = voted([1, 1, 1, 2, 2], { margin: 2 });
    expect(engine.state.selection?.agreement).toMatchObject({
      decidedBy: 'fallback_plurality',
      result: 'tie-broken',
      lead: 1,
      margin: 2,
    });
  });
});

describe('a likely leader', () => {
  it('ends the poll early; who was not asked does not count into it', () => {
    const votes = [2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0];
    const { engine } = voted(votes, { stop: 'posterior', rule: 'majority' });
    expect(engine.state.selection?.agreement).toMatchObject({
      decidedBy: 'rule',
      result: 'decided',
      electorate: [1, 2, 3, 4],
      eligibleWeight: 4,
      earlyStop: { by: 'posterior', unasked: 8, probability: 0.96875 },
    });
  });
});

describe('a team of like models', () => {
  type Player = readonly [model: string, family: string, program?: string];
  const raised = (players: readonly Player[], isScripted = false) => {
    const started = startedBy({ count: players.length });
    const agents = started.agents.map((agent, i) => {
      const [model = '', family = '', title] = players[i] ?? [];
      return {
        ...agent,
        model,
        family,
        ...(title === undefined ? {} : { isProgram: true, title }),
      };
    });
    const { events } = handle(undefined, {
      at: 0,
      input: { kind: 'start', started: { ...started, agents, isScripted } },
    });
    return events.flatMap((event) => (event.type === 'warning-raised' ? event : []));
  };
  const warnings = (...[players, isScripted]: Parameters<typeof raised>) =>
    raised(players, isScripted).map(({ code }) => code);

  it('is warned of at the start', () => {
    expect(
      warnings([
        ['a', 'x'],
        ['a', 'x'],
        ['a', 'x'],
      ]),
    ).toEqual(['same_model']);
    expect(
      warnings([
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'x'],
      ]),
    ).toEqual(['few_independent_voters']);
  });

  it('is not seen in different programs that choose their models themselves, but in one program twice', () => {
    expect(
      warnings([
        ['', '', 'Gemini CLI'],
        ['', '', 'goose'],
      ]),
    ).toEqual([]);
    expect(
      warnings([
        ['', '', 'goose'],
        ['', '', 'goose'],
      ]),
    ).toEqual(['same_model']);
  });

  it('is told in whole words, and as one family only where it is one', () => {
    const three: readonly Player[] = [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'x'],
    ];
    const messages = (players: readonly Player[]) => raised(players).map(({ message }) => message);
    expect(messages(three)).toEqual([
      'The 3 voters are worth about 1 independent one: their models are of one family.',
    ]);
    expect(messages([...three, ['d', 'x'], ['e', 'y']])).toEqual([
      'The 5 voters are worth about 1.5 independent ones: most of their models are of one family.',
    ]);
  });

  it('is not seen where families differ or are not known, alone, or in a script', () => {
    expect(
      warnings([
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
      ]),
    ).toEqual([]);
    expect(
      warnings([
        ['a', ''],
        ['b', ''],
      ]),
    ).toEqual([]);
    expect(warnings([['a', 'x']])).toEqual([]);
    expect(
      warnings(
        [
          ['a', 'x'],
          ['a', 'x'],
        ],
        true,
      ),
    ).toEqual([]);
  });
});
