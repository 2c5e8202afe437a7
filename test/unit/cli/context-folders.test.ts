import { expect, it } from 'vitest';
import { contextFolders } from '../../../src/cli/context-folders';
import type { Team } from '../../../src/cli/find-team';

type Folders = readonly (readonly [string, 'read' | 'write'])[];

/** Path and permission of what the agents see, from a team that lists so much and a line that adds so much. */
function seen(listed: Folders, further: Folders, isNamed = false): Folders {
  const contextPaths = listed.map(([path, permission]) => ({
    ...{ path, permission, protectedPaths: [] },
  }));
  const folders = contextFolders({ contextPaths } as unknown as Team, {
    ...{ project: '/p', isNamed },
    further: further.map(([path, permission]) => ({ path, permission })),
  });
  return folders.map(({ path, permission }) => [path, permission]);
}

it('what the line adds stands beside what the team file lists', () => {
  expect(seen([['src', 'write']], [['/q/notes.md', 'read']])).toEqual([
    ['/p/src', 'write'],
    ['/q/notes.md', 'read'],
  ]);
});

it('a path that may be seen already is not added a second time', () => {
  expect(seen([['src', 'write']], [['/p/src/a.ts', 'write']])).toEqual([['/p/src', 'write']]);
  expect(seen([['.', 'read']], [['/p/src', 'read']])).toEqual([['/p', 'read']]);
});

it('the word of the user makes a path writable, and only that path', () => {
  expect(seen([['.', 'read']], [['/p', 'write']])).toEqual([['/p', 'write']]);
  expect(seen([['.', 'read']], [['/p/src', 'write']])).toEqual([
    ['/p', 'read'],
    ['/p/src', 'write'],
  ]);
});

it('a path never becomes less than the team file allows', () => {
  expect(seen([['src', 'write']], [['/p/src', 'read']])).toEqual([['/p/src', 'write']]);
});

it('the project that was named counts where the team file lists nothing', () => {
  expect(seen([], [['/q', 'read']], true)).toEqual([
    ['/p', 'write'],
    ['/q', 'read'],
  ]);
  expect(seen([], [['/q', 'read']])).toEqual([['/q', 'read']]);
});

it('folders of the same name get names of their own', () => {
  const folders = contextFolders({ contextPaths: [] } as unknown as Team, {
    ...{ project: '/p', isNamed: false },
    further: [
      { path: '/a/src', permission: 'read' },
      { path: '/b/src', permission: 'read' },
    ],
  });
  expect(folders.map(({ name }) => name)).toEqual(['src', 'src-2']);
});
