// Whether what the checks said of a proposal still holds, and where the checks stand in the timeline.
import { describe, expect, test } from 'vitest';
import {
  decide,
  mixChecked,
  mixPasses,
  partsDecided,
  passing,
  picked,
  votingChecked,
  wonChecked,
} from '../../../webview/fixtures/checked-runs';
import type { RunEvent } from '../../../../src/run/events';

const checkedAfter = (...events: readonly RunEvent[]) =>
  mixPasses()
    .at(190, ...events)
    .state().review?.checkedMix;

describe('the checked proposal', () => {
  test('is the one that the checks were begun on', () => {
    expect(wonChecked().state().review?.checkedMix).toBeUndefined();
    expect(checkedAfter()).toBe('snapshot-1');
    expect(checkedAfter(...mixChecked('snapshot-2', passing))).toBe('snapshot-2');
  });

  test('stays the same while its parts are accepted', () => {
    expect(checkedAfter(decide('accepted', 'h1'), decide('conflict', 'o2'))).toBe('snapshot-1');
  });

  test.each([
    ['a part is rejected', [decide('rejected', 'h1')]],
    ['a file is rejected', [decide('rejected')]],
    ['other parts are picked', [picked([])]],
  ])('is another one once %s', (_what, events) => {
    expect(checkedAfter(...events)).toBeUndefined();
  });

  test.each([
    ['part', decide('rejected', 'h1'), decide('pending', 'h1')],
    ['file', decide('rejected'), decide('pending')],
    ['part with its file', decide('rejected', 'h1'), decide('pending')],
  ])('is another one once a rejected %s is open again', (_what, rejected, open) => {
    const log = mixPasses()
      .at(185, rejected)
      .at(186, ...mixChecked('snapshot-2', passing));
    expect(log.state().review?.checkedMix).toBe('snapshot-2');
    expect(log.at(187, open).state().review?.checkedMix).toBeUndefined();
  });

  test('of one file is not touched by another file', () => {
    expect(checkedAfter({ ...decide('accepted'), path: 'CHANGELOG.md' })).toBe('snapshot-1');
    expect(partsDecided().state().review?.checkedMix).toBeUndefined();
  });
});

test('the timeline has a line for the untouched folders, for each answer and for a mix', () => {
  const lines = [...votingChecked().state().timeline, ...mixPasses().state().timeline.slice(-1)]
    .filter(({ kind }) => kind === 'checks')
    .map(({ slot, labels, text }) => [slot, ...labels, text]);
  expect(lines).toEqual([
    [null, ''],
    [1, 'agent1.1', ''],
    [2, 'agent2.1', ''],
    [3, 'agent3.1', ''],
    [null, 'snapshot-1'],
  ]);
});
