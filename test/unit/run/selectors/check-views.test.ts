// What every view says about checks: phases, cards, timeline, verdict, and where nobody passes.
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../../../src/run/check-facts';
import type { Agreement } from '../../../../src/run/facts';
import { selectAnnouncements } from '../../../../src/run/selectors/announcements';
import { selectCards } from '../../../../src/run/selectors/cards';
import {
  exclusionWord,
  selectCheckCount,
  selectCheckMarks,
} from '../../../../src/run/selectors/check-marks';
import { changedTestsSentence } from '../../../../src/run/selectors/check-words';
import { formatTook } from '../../../../src/run/selectors/formats';
import { selectOutcome } from '../../../../src/run/selectors/outcome';
import { selectPhases } from '../../../../src/run/selectors/phases';
import { toPlainText } from '../../../../src/run/selectors/plain-text';
import { selectProblems } from '../../../../src/run/selectors/problems';
import { selectRuleLine } from '../../../../src/run/selectors/rule';
import { selectTimeline } from '../../../../src/run/selectors/timeline';
import { selectVerdict } from '../../../../src/run/selectors/verdict';
import * as runs from '../../../webview/fixtures/checked-runs';
import { answer, selected, turnEnd } from '../../../webview/fixtures/events';
import { startedAt } from '../../../webview/fixtures/log';
import type { Log } from '../../../webview/fixtures/log';
import * as plain from '../../../webview/fixtures/runs';

const en = 'en-US';
const one = { kind: 'answer', label: 'agent1.1' } as const;
const phases = (log: Log): readonly string[] =>
  selectPhases(log.state()).map(({ text, status }) => `${text}: ${status}`);
const nowLine = (log: Log, slot: number) =>
  selectCards(log.state(), startedAt + 60_000, en)[slot - 1]?.now;

/** A run in which the first answer came to these results. */
function withResults(...results: readonly CheckResult[]): Log {
  return runs.firstChecked().at(50, ...runs.checked('agent1.1', results));
}

describe('the result of a check', () => {
  test.each<[string, string, Partial<CheckResult>]>([
    ['test passed, 3.2 s', '3.2 s', {}],
    ['test now passes, 3.2 s', 'now passes', { comparison: 'fixed' }],
    ['test passed on retry, 3.2 s', 'passed on retry', { isFlaky: true }],
    [
      'test now passes, 3.2 s, not steady: it failed once',
      'now passes',
      { isFlaky: true, comparison: 'fixed' },
    ],
    ['test passed, 3.2 s, result kept from the same files', '3.2 s', { isCached: true }],
    [
      'test now fails, exit code 2, 3.2 s',
      'now fails',
      { status: 'failed', exitCode: 2, comparison: 'regression' },
    ],
    [
      'test already failing, exit code 1, 3.2 s',
      'already failing',
      { status: 'failed', exitCode: 1 },
    ],
    ['test failed, 3.2 s', 'failed', { status: 'failed', comparison: 'unknown' }],
    [
      'test now times out, 3.2 s',
      'now times out',
      { status: 'timed-out', exitCode: null, comparison: 'regression' },
    ],
    ['test not run', 'not run', { status: 'not-run', exitCode: null, comparison: 'unknown' }],
  ])('reads "%s", in short "%s"', (sentence, figure, changes) => {
    const log = withResults(runs.result('test', changes));
    const [mark] = selectCheckMarks(log.state(), one, en);
    expect([mark?.sentence, mark?.figure]).toEqual([sentence, figure]);
  });

  test('is there for each check of the team before, while and after it runs', () => {
    const words = (log: Log, label: 'agent1.1' | 'agent2.1' | 'agent3.1') =>
      selectCheckMarks(log.state(), { kind: 'answer', label }, en).map(({ word }) => word);
    expect(words(runs.checking(), 'agent1.1')).toEqual(['passed', 'passed']);
    expect(words(runs.checking(), 'agent2.1')).toEqual(['passed on retry', 'running']);
    expect(words(runs.checking(), 'agent3.1')).toEqual(['waits', 'waits']);
    const stopped = runs.checking().at(75, { type: 'run-ended', outcome: 'cancelled' });
    expect(words(stopped, 'agent2.1')).toEqual(['passed on retry', 'not finished']);
    expect(words(stopped, 'agent3.1')).toEqual(['not run', 'not run']);
  });

  test('keeps the name of a check on one line, with hidden characters in sight', () => {
    const log = withResults(runs.result('a\u202eb\nc'));
    expect(selectCheckMarks(log.state(), one, en).at(-1)?.name).toBe('a⟨U+202E⟩b ⏎ c');
  });

  test.each([
    [940, '0.9 s'],
    [9_990, '9.9 s'],
    [12_700, '12 s'],
    [59_999, '59 s'],
    [73_000, '1:13'],
  ])('%d ms took %s', (ms, text) => {
    expect(formatTook(ms, en)).toBe(text);
    expect(formatTook(940, 'de')).toBe('0,9 s');
  });
});

describe('the count of a candidate', () => {
  const countOf = (...results: readonly CheckResult[]) =>
    selectCheckCount(withResults(...results).state(), one, en);

  test('says how many it passes, and what came of the others', () => {
    expect(countOf(...runs.passing)).toMatchObject({ tone: 'passed', text: '2/2' });
    expect(countOf(...runs.failingTypes)).toEqual({
      tone: 'failed',
      text: '1/2',
      sentence: 'passes 1 of 2 checks; types now fails',
    });
    const known = runs.result('types', { status: 'failed', exitCode: 1 });
    expect(countOf(runs.result('test'), known)).toMatchObject({ tone: 'known', text: '1/2' });
  });

  test('says that nothing was found out where that is so', () => {
    const notRun = (name: string) =>
      runs.result(name, { status: 'not-run', exitCode: null, comparison: 'unknown' });
    expect(countOf(notRun('test'), notRun('types'))).toMatchObject({
      tone: 'none',
      text: 'not run',
    });
    expect(
      selectCheckCount(runs.checking().state(), { kind: 'answer', label: 'agent2.1' }, en).text,
    ).toBe('running');
  });
});

describe('the course of a run with checks', () => {
  test('has a phase of its own for them, with its progress', () => {
    expect(phases(runs.firstChecked())).toEqual([
      'Drafts 1/3: now',
      'Checks: ahead',
      'Votes: ahead',
      'Result: ahead',
    ]);
    expect(phases(runs.checking()).slice(0, 2)).toEqual(['Drafts: done', 'Checks 3/6: now']);
    expect(phases(runs.votingChecked()).slice(1, 3)).toEqual(['Checks: done', 'Votes 1/3: now']);
    expect(phases(plain.voting())).toHaveLength(3);
  });

  test('stays with the votes when a new answer is checked while they come in', () => {
    const later = runs.votingChecked().at(95, answer('agent3.2', 'New.'), turnEnd(3, 2, 'answer'));
    expect(phases(later)[2]).toBe('Votes 1/3: now');
  });

  test('ends with the checks where nobody votes', () => {
    const state = runs.checking().state();
    const alone = { ...state, settings: { ...state.settings, skipVoting: true } };
    expect(selectPhases(alone).map(({ text }) => text)).toEqual(['Drafts', 'Checks 3/6', 'Result']);
  });

  test('says in one sentence how many checks are done', () => {
    expect(selectRuleLine(runs.checking().state(), en)).toBe(
      'All 3 drafts are in; 3 of 6 checks are done.',
    );
  });

  test('shows on the card of an agent that its answer waits, is checked, or is out', () => {
    expect(nowLine(runs.firstChecked(), 1)).toMatchObject({
      code: 'agent1.1',
      text: 'is checked, 1 of 2 done',
    });
    expect(nowLine(runs.checking(), 3)?.text).toBe('waits for checks');
    const out = runs.checking().at(72, ...runs.checked('agent1.1', runs.failingTypes));
    expect(nowLine(out, 1)).toMatchObject({ icon: 'error', text: 'fails types' });
  });

  test('has a row for each tree that was checked, in the lane of its agent and as nobody’s deed', () => {
    const rows = selectTimeline(runs.votingChecked().state(), en).filter(
      ({ icon }) => icon === 'checks',
    );
    expect(rows.map(({ slot, who, sentence }) => [slot, who, sentence])).toEqual([
      [null, null, '0:09, Untouched folder checked: test passed, 3.2 s; types passed, 3.2 s'],
      [
        1,
        null,
        '0:45, Checked agent1.1: test passed, 3.2 s; types passed, 3.2 s, result kept from the same files',
      ],
      [2, null, '1:12, Checked agent2.1: test passed on retry, 3.2 s; types passed, 3.2 s'],
      [
        3,
        null,
        '1:20, Checked agent3.1, fails types, out of the vote: test passed, 3.2 s; types now fails, exit code 2, 0.9 s',
      ],
    ]);
  });

  test('tells a screen reader that the checks run, who is out, and that voting begins', () => {
    const said = (before: Log, next: Log) => selectAnnouncements(before.state(), next.state(), en);
    expect(said(runs.firstChecked(), runs.checking())).toEqual([
      'All drafts are in, 3 agents. Checks run.',
    ]);
    expect(said(runs.checking(), runs.votingChecked())).toEqual([
      'Voting.',
      'agent3.1 fails types and cannot be voted for.',
    ]);
    expect(said(runs.checking(), runs.gateFailed())).toEqual([
      'agent1.1 fails types and cannot be voted for.',
      'agent2.1 fails types and cannot be voted for.',
      'agent3.1 fails types and cannot be voted for.',
      'No candidate passed the checks.',
    ]);
    expect(said(runs.mixed(), runs.mixFails())).toEqual([
      'The mix fails types, which agent2.1 passes.',
    ]);
  });
});

describe('the verdict', () => {
  const paragraph = (log: Log) => selectVerdict(log.state(), en)?.paragraph;

  test('says what the winner passes and who was out', () => {
    expect(paragraph(runs.wonChecked())).toBe(
      'Majority rule, 2 needed. Without self-votes it would be a tie, 1 to 1. It passes both checks. agent3.1 fails types and is out of the vote.',
    );
  });

  test('says plainly that no checks were run', () => {
    expect(paragraph(plain.won())).toMatch(/ No checks were run\.$/);
  });

  test('says what the winner of a vote does not pass', () => {
    const known = runs.result('types', { status: 'failed', exitCode: 1 });
    const log = runs
      .wonChecked()
      .at(150, ...runs.checked('agent2.1', [runs.result('test'), known]));
    expect(paragraph(log)).toContain('It passes 1 of 2 checks: types fails as in your folder.');
  });

  test('says so when the user takes an answer that fails a check', () => {
    const log = runs
      .gateFailed()
      .at(
        120,
        { type: 'user-override', label: 'agent1.1', when: 'after', previous: null },
        selected({ votes: {}, votesFromOthers: {}, winner: 'agent1.1', decidedBy: 'human' }),
      );
    expect(paragraph(log)).toContain('It fails types, which passes in your folder.');
    expect(selectProblems(log.state(), en)).toEqual([]);
  });

  test('does not say again what the reason says already', () => {
    const chosen = (changes: Partial<Agreement>) =>
      runs.gateFailed().at(
        120,
        { type: 'user-override', label: 'agent1.1', when: 'after', previous: null },
        selected({
          votes: {},
          votesFromOthers: {},
          winner: 'agent1.1',
          decidedBy: 'human',
          changes,
        }),
      );
    const others =
      'agent2.1 fails types and is out of the vote. agent3.1 fails types and is out of the vote.';
    for (const changes of [
      { failedGates: { 'agent1.1': ['types'] } },
      { unchecked: ['agent1.1'] },
    ] as const) {
      expect(paragraph(chosen(changes))).not.toContain('It fails');
      expect(paragraph(chosen(changes))).toContain(others);
    }
  });

  test('says that checks were cut short, or never came', () => {
    const won = (log: Log) =>
      log.at(
        90,
        selected({ votes: {}, votesFromOthers: {}, winner: 'agent2.1', decidedBy: 'timeout' }),
        { type: 'run-ended', outcome: 'timeout' },
      );
    expect(paragraph(won(runs.checking()))).toContain('Its checks were not finished.');
    expect(paragraph(won(runs.firstChecked()))).toContain('Its checks were not run.');
  });
});

describe('no candidate passes', () => {
  test('is a problem of its own, with what fails and what holds now', () => {
    const [problem] = selectProblems(runs.gateFailed().state(), en);
    expect(problem).toMatchObject({
      id: 'gate-failed',
      heading: 'No candidate passed the checks',
      text: 'All 3 fail types, which passes in your folder. Nothing was chosen, and nothing is offered for Accept All. Your files are unchanged.',
    });
    expect(problem?.actions.map(({ text }) => text)).toEqual([
      'Open agent1.1',
      'Open agent2.1',
      'Open agent3.1',
      'New Run',
    ]);
    expect(selectOutcome(runs.gateFailed().state(), en)?.kind).toBe('gate-failed');
  });

  test('names each check where they differ', () => {
    const failingTest = [runs.failedAnew('test'), runs.result('types')];
    const log = runs.gateFailed().at(90, ...runs.checked('agent2.1', failingTest));
    expect(selectProblems(log.state(), en)[0]?.text).toContain(
      'agent1.1 fails types; agent2.1 fails test; agent3.1 fails types. All of it passes in your folder.',
    );
  });
});

test('a check that only informs keeps nobody out', () => {
  const state = runs.votingChecked().state();
  const informing = runs.specs.map((spec) => ({ ...spec, mode: 'inform' as const }));
  expect(exclusionWord(state, 'agent3.1', en)).toBe('Fails types');
  const settings = { ...state.settings, checks: informing };
  expect(exclusionWord({ ...state, settings }, 'agent3.1', en)).toBe('');
});

describe('changed tests', () => {
  const sentence = (...tests: readonly (readonly string[])[]) => {
    const [edited = [], deleted = [], skipped = []] = tests;
    const all = { edited, deleted, skipped, isRestored: true };
    const log = runs.firstChecked().at(50, ...runs.checked('agent1.1', runs.passing, all));
    return changedTestsSentence(log.state(), 'agent1.1');
  };

  test('are counted by what was done to them', () => {
    expect(sentence(['a', 'b'])).toBe('Agent 1 edited 2 test files; the checks ran with yours.');
    expect(sentence([], ['a'], ['b'])).toBe(
      'Agent 1 deleted 1 test file and skipped 1; the checks ran with yours.',
    );
    expect(sentence(['a'], ['b'], ['c', 'd'])).toBe(
      'Agent 1 edited 1 test file, deleted 1 and skipped 2; the checks ran with yours.',
    );
    expect(sentence()).toBe('');
  });

  test('that were not put back are said to have been used', () => {
    const tests = { edited: ['a'], deleted: [], skipped: [], isRestored: false };
    const log = runs.firstChecked().at(50, ...runs.checked('agent1.1', runs.passing, tests));
    expect(changedTestsSentence(log.state(), 'agent1.1')).toBe(
      'Agent 1 edited 1 test file; the checks ran with the changed ones.',
    );
  });

  test('are told apart from other files that say what a check does', () => {
    const told = (rules: readonly string[]): string => {
      const tests = { edited: [], deleted: [], skipped: [], isRestored: false, rules };
      const log = runs.firstChecked().at(50, ...runs.checked('agent1.1', runs.passing, tests));
      return changedTestsSentence(log.state(), 'agent1.1');
    };
    expect(told(['p/Makefile'])).toBe(
      'Agent 1 changed p/Makefile, which says what a check does; the checks ran with the change.',
    );
    expect(told(['p/Makefile', 'p/tsconfig.json'])).toBe(
      'Agent 1 changed 2 files that say what a check does; the checks ran with the change.',
    );
  });
});

test('the run as text holds every result, who is out, and each changed test', () => {
  const text = toPlainText(runs.wonChecked().state(), startedAt + 300_000, en);
  for (const line of [
    '  agent1.1: test passed, 3.2 s; types passed, 3.2 s, result kept from the same files',
    '    Fails types, out of the vote',
    '    edited sample-project/src/units.test.ts',
    '  Untouched folder: test passed, 3.2 s; types passed, 3.2 s',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});
