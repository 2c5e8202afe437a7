// Files that are decided part by part, votes that speak of them, and proposals mixed from several answers.
import { describe, expect, test } from 'vitest';
import { selectChangedFiles } from '../../../../src/run/selectors/changed-files';
import type { ChangedFile } from '../../../../src/run/selectors/changed-files';
import { mentionNote, selectMentions } from '../../../../src/run/selectors/mentions';
import { selectMix } from '../../../../src/run/selectors/mix';
import { toPlainText } from '../../../../src/run/selectors/plain-text';
import { selectProblems } from '../../../../src/run/selectors/problems';
import type { RunState } from '../../../../src/run/state';
import * as runs from '../../../webview/fixtures/checked-runs';
import { file, vote } from '../../../webview/fixtures/events';
import { startedAt } from '../../../webview/fixtures/log';
import type { Log } from '../../../webview/fixtures/log';
import * as plain from '../../../webview/fixtures/runs';

const en = 'en-US';
const first = (log: Log): ChangedFile | undefined => selectChangedFiles(log.state(), en).files[0];

describe('a file with parts', () => {
  test('names where each part is in the user’s file, with its counts', () => {
    const parts = first(runs.wonChecked())?.parts ?? [];
    expect(parts.map(({ place, added, removed }) => [place, added, removed])).toEqual([
      ['Lines 12\u201320', '+18', '\u22129'],
      ['Line 39', '+5', '\u22121'],
      ['After line 60', '+2', '\u22120'],
    ]);
    expect(parts.map(({ accessibleName }) => accessibleName)).toEqual([
      'lines 12 to 20 of duration.ts, 18 added, 9 removed, named in 2 votes, not decided',
      'line 39 of duration.ts, 5 added, 1 removed, dissent, not decided',
      'after line 60 of duration.ts, 2 added, 0 removed, not decided',
    ]);
    expect(first(runs.wonChecked())?.accessibleName).toBe(
      'duration.ts, 25 added, 10 removed, 3 parts, not decided',
    );
  });

  test('of which there is only one is decided as a whole', () => {
    const [, second] = selectChangedFiles(runs.wonChecked().state(), en).files;
    expect(second?.parts).toEqual([]);
  });

  test('shows the decision of each part, and counts them where they differ', () => {
    const log = runs.wonChecked().at(150, runs.decide('accepted', 'h1'));
    const decided = log.at(151, runs.decide('rejected', 'h2'), runs.decide('accepted', 'h3'));
    expect(first(log)?.decisionText).toBe('1 of 3 accepted');
    expect(first(decided)?.decisionText).toBe('2 of 3 accepted');
    expect(first(decided)?.parts.map((part) => part.decisionText)).toEqual([
      'Accepted',
      'Rejected',
      'Accepted',
    ]);
    expect(first(log.at(152, runs.decide('accepted')))?.decisionText).toBe('Accepted');
  });

  test('has its conflict where it is, with what happened', () => {
    const changed = first(runs.partsDecided());
    expect(changed?.decisionText).toBe('Conflict');
    expect(changed?.parts.map(({ decisionText, detail }) => [decisionText, detail])).toEqual([
      ['Accepted', ''],
      ['Conflict', 'Lines 39–44 overlap yours.'],
      ['', ''],
    ]);
  });

  test('counts in sums by its parts, and stays open while one of them is', () => {
    const changed = selectChangedFiles(runs.partsDecided().state(), en);
    expect(changed).toMatchObject({
      partsText: '1 of 5 parts accepted',
      pending: 2,
      accepted: 1,
      hasAlternatives: true,
      hasReasons: true,
    });
    expect(selectChangedFiles(plain.decided().state(), en).partsText).toBe('');
  });

  test('says what it was and why it has no parts', () => {
    const moved = { ...file('src/b.ts', 'rename', 1, 1), from: 'src/a.ts' };
    const odd = {
      ...file('run.sh', 'mode', 0, 0),
      modes: { before: 0o644, after: 0o755 },
      wholeFile: 'encoding' as const,
    };
    const log = runs.wonChecked().at(150, {
      type: 'change-set-ready',
      label: 'agent2.1',
      snapshotId: 's',
      files: [moved, odd],
    });
    expect(selectChangedFiles(log.state(), en).files.map((one) => one.accessibleName)).toEqual([
      'b.ts, moved, from src/a.ts, 1 added, 1 removed, not decided',
      'run.sh, mode, mode 644 becomes 755, its encoding allows no parts, 0 added, 0 removed, not decided',
    ]);
  });
});

test('once a part is in the user’s files, nothing says that they are unchanged', () => {
  const stopped = runs.wonChecked().at(140, { type: 'run-ended', outcome: 'cancelled' });
  const text = (log: Log) => selectProblems(log.state(), en)[0]?.text;
  expect(text(stopped)).toContain('Your files are unchanged.');
  expect(text(stopped.at(150, runs.decide('accepted', 'h1')))).not.toContain('unchanged');
});

describe('votes that speak of a file', () => {
  const noteOf = (reason: string, path = 'src/duration.ts', hunk = runs.hunks[0]) => {
    const log = runs.wonChecked().at(150, vote(1, 9, 'agent2.1', reason));
    const agents = log
      .state()
      .agents.map((agent) => (agent.info.slot === 1 ? agent : { ...agent, ballot: null }));
    const state: RunState = { ...log.state(), agents };
    const mentions = selectMentions(state)(path);
    return [mentionNote(mentions), hunk === undefined ? '' : mentionNote(mentions, hunk)];
  };
  const both = ['named in 1 vote', 'named in 1 vote'];
  const onlyFile = ['named in 1 vote', ''];
  const none = ['', ''];

  test.each([
    ['See duration.ts:14.', both],
    ['See src/duration.ts lines 29-40.', both],
    ['See duration.ts, lines 3 to 12.', both],
    ['`duration.ts` line 12 is right', both],
    ['duration.ts#L20-L22', both],
    ['See duration.ts:11.', onlyFile],
    ['See duration.ts line 30.', onlyFile],
    ['duration.ts is clear. 14 tests pass.', onlyFile],
    ['myduration.ts:14', none],
    ['duration.tsx:14', none],
    ['other/duration.ts:14', none],
    ['duration.test.ts:14', none],
  ])('"%s"', (reason, notes) => {
    expect(noteOf(reason)).toEqual(notes);
  });

  test('a name without its folder says nothing where two files have it', () => {
    const twice = runs.wonChecked().at(149, {
      type: 'change-set-ready',
      label: 'agent2.1',
      snapshotId: 's',
      files: [file('a/index.ts', 'modify', 1, 1), file('b/index.ts', 'modify', 1, 1)],
    });
    const notes = (reason: string) => {
      const mentions = selectMentions(twice.at(150, vote(1, 9, 'agent2.1', reason)).state());
      return ['a/index.ts', 'b/index.ts'].map((path) => mentionNote(mentions(path)));
    };
    expect(notes('index.ts:1 is right')).toEqual(['', '']);
    expect(notes('b/index.ts:1 is right')).toEqual(['', 'named in 1 vote']);
  });
});

describe('what is proposed', () => {
  const mix = (log: Log) => selectMix(log.state(), en);

  test('is nothing new while it is the answer that was voted for', () => {
    expect(mix(runs.wonChecked())).toBeUndefined();
    expect(mix(runs.wonChecked().at(150, runs.decide('accepted')))).toBeUndefined();
    expect(mix(runs.checking())).toBeUndefined();
  });

  test('tells from which answers it was mixed, and which part is from which', () => {
    expect(mix(runs.mixed())).toMatchObject({
      origins: ['agent2.1', 'agent1.1'],
      text: 'Mixed from agent2.1 and agent1.1.',
      status: 'unchecked',
      sentence: 'Not checked as a whole.',
    });
    expect(first(runs.mixed())?.parts.map(({ origin }) => origin?.label)).toEqual([
      'agent2.1',
      'agent1.1',
    ]);
    expect(first(runs.wonChecked())?.parts.map(({ origin }) => origin)).toEqual([null, null, null]);
  });

  test('of which parts are left out is not what was checked', () => {
    const log = runs.partsDecided().at(170, runs.decide('rejected', 'h3'));
    expect(mix(log)).toMatchObject({ text: '2 parts are left out.', status: 'unchecked' });
  });

  test('says after its checks whether it is worse than the best single answer', () => {
    expect(mix(runs.mixFails())).toMatchObject({
      status: 'worse',
      sentence: 'The mix fails types, which agent2.1 passes.',
    });
    expect(mix(runs.mixPasses())).toMatchObject({
      status: 'passes',
      sentence: 'The mix passes every check.',
    });
    expect(mix(runs.mixFails().at(190, runs.decide('rejected', 'h1')))).toMatchObject({
      status: 'unchecked',
    });
  });

  test('that fails where every answer fails is not called worse', () => {
    const failing = ['agent1.1', 'agent2.1'] as const;
    const log = failing.reduce<Log>(
      (before, label) => before.at(175, ...runs.checked(label, runs.failingTypes)),
      runs.mixed(),
    );
    expect(mix(log.at(180, ...runs.mixChecked('snapshot-1', runs.failingTypes)))).toMatchObject({
      status: 'fails',
      sentence: 'The mix passes 1 of 2 checks.',
    });
  });

  test('is being checked from the beginning of its checks to their end', () => {
    const [begin, end] = runs.mixChecked('snapshot-1', runs.passing);
    const log = begin === undefined ? runs.mixed() : runs.mixed().at(180, begin);
    expect(mix(log)).toMatchObject({ status: 'running', sentence: 'The mix is being checked.' });
    expect(mix(log)?.marks.map(({ word }) => word)).toEqual(['running', 'running']);
    expect(end === undefined ? undefined : mix(log.at(190, end))?.status).toBe('passes');
  });

  test('is not offered to be checked where the team has no checks', () => {
    const state = runs.mixed().state();
    const bare = { ...state, settings: { ...state.settings, checks: [] } };
    expect(selectMix(bare, en)).toMatchObject({ status: 'no-checks', sentence: '' });
  });
});

test('the run as text holds each part with its decision, and the mix', () => {
  const text = toPlainText(runs.mixFails().state(), startedAt + 300_000, en);
  expect(text).toContain(
    'Mixed from agent2.1 and agent1.1.\nThe mix fails types, which agent2.1 passes.\n',
  );
  expect(text).toContain(
    '    line 39 of duration.ts, 3 added, 1 removed, dissent, from agent1.1, not decided\n',
  );
});
