// What is said about how a run was decided, beside its one reason.
import { describe, expect, test } from 'vitest';
import { canChoose, selectChoice } from '../../../../src/run/selectors/choice';
import { selectDecisionSteps } from '../../../../src/run/selectors/decision-steps';
import { selectIndependence, selectSameModels } from '../../../../src/run/selectors/independence';
import { selectOutcome } from '../../../../src/run/selectors/outcome';
import { toPlainText } from '../../../../src/run/selectors/plain-text';
import { selectVoteList } from '../../../../src/run/selectors/vote-list';
import { selectTimeline } from '../../../../src/run/selectors/timeline';
import { rulesOf, selectWhatIf } from '../../../../src/run/selectors/what-if';
import { started } from '../../../webview/fixtures/events';
import { createLog } from '../../../webview/fixtures/log';
import type { Log } from '../../../webview/fixtures/log';
import * as more from '../../../webview/fixtures/more-runs';
import * as runs from '../../../webview/fixtures/runs';

const en = 'en';

describe('the outcome as a head of its own', () => {
  const heads: readonly (readonly [name: string, log: Log, kind: string, word: string])[] = [
    ['a majority', runs.won(), 'decided', 'Decided by the rule'],
    ['a tie', more.tieBroken(), 'tie-broken', 'Tie broken'],
    ['a judge', more.judged(), 'tie-broken', 'Tie broken by a judge'],
    ['too few votes', more.noQuorum(), 'no-quorum', 'No quorum: 2 of 3 votes'],
    ['no vote at all', more.nobodyVoted(), 'none', 'Nobody voted'],
    ['no consensus', runs.noConsensus(), 'no-consensus', 'No consensus'],
    ['the user', more.overridden(), 'by-you', 'Decided by you'],
  ];
  test.each(heads)('%s', (_name, log, kind, word) => {
    expect(selectOutcome(log.state(), en)).toMatchObject({ kind, word });
  });

  test('is not there before anything was decided', () => {
    expect(selectOutcome(runs.voting().state(), en)).toBeUndefined();
  });

  test('is marked as weak where the rule was not met', () => {
    const isWeak = (log: Log) => selectOutcome(log.state(), en)?.isWeak;
    expect(isWeak(runs.won())).toBe(false);
    expect(isWeak(more.overridden())).toBe(false);
    for (const log of [more.tieBroken(), more.noQuorum(), more.nobodyVoted()]) {
      expect(isWeak(log)).toBe(true);
    }
  });
});

describe('whose choice stands', () => {
  test('the team’s, until the user takes another answer', () => {
    expect(selectChoice(runs.won().state())).toEqual({
      label: 'agent2.2',
      isByUser: false,
      ofTeam: 'agent2.2',
    });
    expect(selectChoice(more.overridden().state())).toEqual({
      label: 'agent3.1',
      isByUser: true,
      ofTeam: 'agent2.2',
    });
  });

  test('the team’s again, when the user goes back to it', () => {
    expect(selectChoice(more.overriddenAndBack().state())).toMatchObject({
      label: 'agent2.2',
      isByUser: false,
    });
  });

  test('any other answer can be taken, before and after the decision, but not what stands', () => {
    expect(canChoose(runs.voting().state(), 'agent1.1')).toBe(true);
    expect(canChoose(runs.won().state(), 'agent1.1')).toBe(true);
    expect(canChoose(runs.won().state(), 'agent2.2')).toBe(false);
    expect(canChoose(runs.noConsensus().state(), 'agent1.1')).toBe(true);
  });
});

describe('the steps of a decision', () => {
  test('name runoff, second look, judge and what was even before the deciding comparison', () => {
    expect(selectDecisionSteps(more.tieBroken().state(), en)).toEqual([
      'No candidate met the rule; a runoff was held between the answers of Agent 1 and Agent 2.',
      'The answers of Agent 1 and Agent 2 were close; everybody compared them again in the opposite order.',
      'A judge was asked and gave no decision.',
      'Before that in the order for ties, and even: checks, approvals.',
    ]);
    expect(selectDecisionSteps(more.judged().state(), en)).toEqual([
      'A judge was asked and chose agent1.1.',
    ]);
  });

  test('are none for a plain majority', () => {
    expect(selectDecisionSteps(runs.won().state(), en)).toEqual([]);
  });
});

describe('the list of votes', () => {
  test('has those that count first, then the void ones with what made them so', () => {
    const rows = selectVoteList(runs.won().state()).map(({ slot, label, isValid, notes }) => [
      slot,
      label,
      isValid,
      notes,
    ]);
    expect(rows).toEqual([
      [1, 'agent2.2', true, []],
      [2, 'agent2.2', true, ['its own']],
      [3, 'agent3.1', true, ['its own']],
      [1, 'agent1.1', false, ['its own', 'void: agent2.2 arrived']],
    ]);
  });

  test('names approvals, and votes that were cast without having seen every answer', () => {
    expect(selectVoteList(more.tieBroken().state())[0]?.notes).toEqual(['also approves agent3.1']);
    const blind = runs.voting().at(130, {
      type: 'vote-cast',
      slot: 2,
      turnNo: 3,
      ballotId: 'agent2.vote1',
      target: 'agent1.1',
      reason: '',
      seen: [],
      isInformed: false,
      weight: 1,
      phase: 'runoff',
    });
    const notes = selectVoteList(blind.state()).find(({ slot }) => slot === 2)?.notes;
    expect(notes).toEqual(['in the runoff', 'had not seen every answer']);
  });

  test('holds a vote that came for a replaced answer', () => {
    const stale = runs.voting().at(130, {
      type: 'vote-ignored',
      slot: 2,
      turnNo: 3,
      target: 'agent1.1',
      unseen: ['agent3.1'],
    });
    expect(selectVoteList(stale.state()).at(-1)).toMatchObject({
      slot: 2,
      label: 'agent1.1',
      isValid: false,
      notes: ['stale: agent3.1 had arrived'],
    });
  });
});

describe('the final answer in the timeline', () => {
  const lastNote = (slot: number, source: 'presented' | 'reused') => {
    const log = createLog(runs.voting().events).at(150, {
      type: 'final-answer',
      ...{ slot, label: 'agent2.2', text: 'Done.', source },
    });
    return selectTimeline(log.state(), en).at(-1)?.note;
  };

  test('says who wrote it, also where that is not the winner', () => {
    expect(lastNote(2, 'presented')).toBe('written by the winner');
    expect(lastNote(3, 'presented')).toBe('written for agent2.2');
    expect(lastNote(2, 'reused')).toBe('the answer as it was handed in');
  });
});

describe('how independent the votes are', () => {
  test('is said with the number of voters it is worth', () => {
    expect(selectIndependence(more.tieBroken().state(), en)).toMatchObject({
      text: '2 voters, worth about 1.8 independent ones (2 families)',
      isLow: false,
    });
    expect(selectIndependence(more.sameModel().state(), en)).toMatchObject({
      text: '3 voters, worth about 1 independent one (1 family)',
      isLow: true,
    });
  });

  test('does not count families that nobody knows', () => {
    const state = more.tieBroken().state();
    const without = (slots: readonly number[]) => ({
      ...state,
      agents: state.agents.map((agent) =>
        slots.includes(agent.info.slot) ? { ...agent, info: { ...agent.info, family: '' } } : agent,
      ),
    });
    expect(selectIndependence(without([1, 2, 3]), en)?.text).toContain('(families unknown)');
    expect(selectIndependence(without([1]), en)?.text).toContain('(1 family, 1 unknown)');
  });

  test('names members that are the same model, but not those of a script', () => {
    expect(selectSameModels(more.sameModel().state(), en)).toEqual([
      'Agent 1, Agent 2, and Agent 3 are the same model; they tend to err alike.',
    ]);
    expect(selectSameModels(runs.won().state(), en)).toEqual([]);
    const script = createLog().at(0, started({ isScripted: true, size: 4 }));
    expect(selectSameModels(script.state(), en)).toEqual([]);
  });

  test('takes programs of one protocol that choose their models themselves for what they are', () => {
    const program = { backend: 'acp', model: '', family: '', weight: 1, isProgram: true };
    const agents = [
      { ...program, slot: 1, id: 'a', title: 'OpenCode' },
      { ...program, slot: 2, id: 'b', title: 'Goose' },
      { ...program, slot: 3, id: 'c', title: 'Goose' },
    ];
    const log = createLog().at(0, started({ agents }));
    expect(selectSameModels(log.state(), en)).toEqual([
      'Agent 2 and Agent 3 are the same model; they tend to err alike.',
    ]);
  });
});

describe('what another rule would have decided', () => {
  test('is the same with the rules of the run itself', () => {
    const state = runs.won().state();
    expect(selectWhatIf(state, rulesOf(state))).toMatchObject({
      isSame: true,
      text: 'agent2.2 won with 2 of 3 votes.',
    });
  });

  test('says what changes, and what only new votes could tell', () => {
    const state = runs.won().state();
    const { changes, unknown } = selectWhatIf(state, { ...rulesOf(state), rule: 'unanimity' });
    expect(changes.length).toBeGreaterThan(0);
    expect(unknown.length).toBeGreaterThan(0);
  });
});

describe('the run as text', () => {
  test('holds outcome, steps, independence and the votes that do not count', () => {
    const text = toPlainText(more.tieBroken().state(), 0, en);
    expect(text).toContain('Tie broken\n');
    expect(text).toContain('A judge was asked and gave no decision.');
    expect(text).toContain('2 voters, worth about 1.8 independent ones');
    expect(toPlainText(runs.won().state(), 0, en)).toContain(
      'Agent 1, agent1.1, its own, void: agent2.2 arrived (not counted): It is the smallest change.',
    );
    expect(toPlainText(more.overridden().state(), 0, en)).toContain(
      'The team’s choice was agent2.2.',
    );
  });
});
