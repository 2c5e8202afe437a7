import { mkdirSync, writeFileSync } from 'node:fs';
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
