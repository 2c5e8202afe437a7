import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { App } from '../../../src/app/app-contract';
import { UsageError } from '../../../src/cli/failure';
import { findTeam } from '../../../src/cli/find-team';
import type { World } from '../../../src/cli/world';
import { tempFolder } from '../workspace/temp-project';

type Egress = ReturnType<App['describeEgress']>;

const nothing: Egress = {
  ...{ hosts: [], variables: [], paths: [], downloads: [], commands: [], programs: [] },
};

/** What is said before a team file of the project that reaches so much is trusted; empty: nothing. */
async function refusalOf(egress: Partial<Egress>): Promise<string> {
  const project = tempFolder();
  const file = join(project, '.massgen', 'config.yaml');
  mkdirSync(join(project, '.massgen'));
  writeFileSync(file, '');
  const app = {
    checkTeam: () => Promise.resolve({ problems: [], config: { file, notices: [] } }),
    describeEgress: () => ({ ...nothing, ...egress }),
  } as unknown as App;
  const home = tempFolder();
  const world = { cwd: project, home, installDir: home, notes: { write: () => undefined } };
  const query = { file: undefined, project, isTrusted: false };
  try {
    await findTeam(app, world as unknown as World, query);
    return '';
  } catch (error) {
    return error instanceof UsageError ? error.message : '';
  }
}

const trick = 'x\n  nothing else\u202e\u001b[8m';

it('a team file cannot hide or invent lines of what is told of it', async () => {
  const program = { purpose: trick, command: trick, variables: [trick], agentIds: [trick] };
  const key = { name: trick, isUsual: false };
  const told = await refusalOf({
    hosts: [{ host: 'h', agentIds: [trick], keys: [key] }],
    ...{ paths: [trick], commands: [trick], programs: [program] },
  });
  expect(told).not.toMatch(/^ {2}nothing else/m);
  expect(told).not.toMatch(/[\u202e\u001b]/);
  expect(told.match(/⟨U\+202E⟩/g)).toHaveLength(9);
});

it('a team file that loads a file from elsewhere reaches out, although it has no host besides', async () => {
  expect(await refusalOf({ paths: ['src'] })).toBe('');
  const downloads = [{ host: 'sink.example', address: 'https://sink.example/a.png' }];
  expect(await refusalOf({ downloads })).toContain(
    'sink.example would be asked for https://sink.example/a.png',
  );
});

interface Layout {
  /** All relative to one new folder; a link is the path of a file and what it leads to. */
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
  readonly links?: readonly (readonly [link: string, target: string])[];
  readonly home?: string;
  readonly project: string;
  readonly config: string;
}

/** What is said of a team file that reaches a host, by where it is. */
async function refusalAt({
  files = [],
  folders = [],
  links = [],
  home = 'home',
  project,
  config,
}: Layout): Promise<string> {
  const root = tempFolder();
  for (const folder of [home, project, ...folders]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const file of files) {
    writeFileSync(join(root, file), '');
  }
  for (const [link, target] of links) {
    symlinkSync(join(root, target), join(root, link));
  }
  const file = join(root, config);
  const app = {
    checkTeam: () => Promise.resolve({ problems: [], config: { file, notices: [] } }),
    describeEgress: () => ({ ...nothing, hosts: [{ host: 'h', agentIds: ['a'], keys: [] }] }),
  } as unknown as App;
  const world = {
    ...{ cwd: join(root, project), home: join(root, home), installDir: join(root, 'product') },
    notes: { write: () => undefined },
  } as unknown as World;
  try {
    await findTeam(app, world, { file, project: join(root, project), isTrusted: false });
    return '';
  } catch (error) {
    return error instanceof UsageError ? error.message : String(error);
  }
}

it.each<[string, Layout]>([
  ['in it', { project: 'p', files: ['p/t.yaml'], config: 'p/t.yaml' }],
  [
    'a link in it to a file elsewhere',
    {
      project: 'p',
      folders: ['other'],
      files: ['other/t.yaml'],
      links: [['p/t.yaml', 'other/t.yaml']],
      config: 'p/t.yaml',
    },
  ],
  [
    'in a linked folder of it',
    {
      project: 'p',
      folders: ['other'],
      files: ['other/t.yaml'],
      links: [['p/.massgen', 'other']],
      config: 'p/.massgen/t.yaml',
    },
  ],
  [
    'a link elsewhere that leads into it',
    {
      project: 'p',
      files: ['p/t.yaml'],
      links: [['home/t.yaml', 'p/t.yaml']],
      config: 'home/t.yaml',
    },
  ],
  [
    'in the repository around it',
    { project: 'repo/src', folders: ['repo/.git'], files: ['repo/t.yaml'], config: 'repo/t.yaml' },
  ],
  [
    'in the work tree around it, whose .git is a file',
    {
      project: 'repo/a/b',
      folders: ['repo/ci'],
      files: ['repo/.git', 'repo/ci/t.yaml'],
      config: 'repo/ci/t.yaml',
    },
  ],
])('a team file comes with the project when it is %s', async (_where, layout) => {
  expect(await refusalAt(layout)).toContain('lies inside the project');
});

it.each<[string, Layout]>([
  ['of the home', { project: 'p', files: ['home/t.yaml'], config: 'home/t.yaml' }],
  [
    'of a home that is kept in a repository',
    {
      home: 'me',
      project: 'me/p',
      folders: ['me/.git'],
      files: ['me/t.yaml'],
      config: 'me/t.yaml',
    },
  ],
  [
    'beside a project without a repository',
    { project: 'all/p', files: ['all/t.yaml'], config: 'all/t.yaml' },
  ],
])('a team file is one of the user when it is %s', async (_where, layout) => {
  expect(await refusalAt(layout)).toBe('');
});
