import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/run/events';
import { apply } from '../../../../src/run/reducer';
import { selectChangedFiles } from '../../../../src/run/selectors/changed-files';
import { isDeliverable } from '../../../../src/run/selectors/deliverables';
import { sampleChange, sampleRunEvents, stateAfter } from '../../../support/sample-run';

test('a folder of the user may be called like the one of an agent', () => {
  const contextRoots = [
    { name: 'workspace', path: '/home/user/workspace', permission: 'write' },
  ] as const;
  expect([
    isDeliverable({ contextRoots }, 'workspace'),
    isDeliverable({ contextRoots }, 'private'),
    isDeliverable({ contextRoots: [] }, 'workspace'),
  ]).toEqual([false, true, true]);
});

test('files of an agent’s own folder are to be saved and wait for no decision', () => {
  const own = { ...sampleChange, root: 'workspace', path: 'ideas.md', kind: 'add' as const };
  const event: RunEvent = {
    type: 'change-set-ready',
    label: 'agent2.1',
    snapshotId: 'f'.repeat(64),
    files: [sampleChange, own],
  };
  const before = stateAfter(sampleRunEvents);
  const state = apply(before, { seq: before.seq + 1, at: before.lastEventAt, event });
  const { files, pending, pendingForAll } = selectChangedFiles(state, 'en');

  expect({ pending, pendingForAll }).toEqual({ pending: 1, pendingForAll: 1 });
  expect(files.map((file) => [file.isDeliverable, file.accessibleName])).toEqual([
    [false, 'duration.js, 2 added, 1 removed, not decided'],
    [true, 'ideas.md, new, 2 added, 1 removed, to be saved'],
  ]);
});
