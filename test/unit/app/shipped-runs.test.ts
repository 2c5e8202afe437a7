// Every team that ships with the product, through the whole product, at services that check every request.
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CommandPolicy } from '../../../src/core/ports/approvals';
import { exampleFile, exampleNames } from '../../../src/config/example-files';
import { readRecording } from '../../../src/backends/offline/recording';
import { appBench } from '../../support/app-bench';
import { ScriptedKind } from '../../support/scripted-kind';
import { isLayered, named } from '../workspace/confinement/confined-run';
import { keyName, keyValue, played, type PlayedTeam } from './shipped-services';

const signal = new AbortController().signal;
const root = join(import.meta.dirname, '../../..');
const names = await exampleNames(root);
const bench = appBench({ 'notes.txt': 'the secret word is plover\n' });
const allowAll: CommandPolicy = {
  decide: () => ({ isAllowed: true, by: 'policy' }),
  remember: async () => undefined,
};

let team: PlayedTeam | undefined;

afterEach(async () => {
  await Promise.all((team?.services ?? []).map((service) => service.close()));
  team = undefined;
});

describe.skipIf(!isLayered)(named('a team that ships with the product'), () => {
  it.each(names)('%s runs to a decision, and no service refuses a request', async (name) => {
    const app = bench.open(new ScriptedKind({}), {
      secrets: { get: async (asked) => (asked === keyName ? keyValue : undefined) },
    });
    const file = exampleFile(root, name);
    const result = app.loadConfig(await readFile(file, 'utf8'), file);
    if (result.kind !== 'ok') {
      throw new Error(`${name} has problems`);
    }
    team = await played(result.config);
    const isDemo = name === 'offline';
    if (isDemo) {
      await cp(join(root, 'media/sample-project'), bench.project, { recursive: true });
    }
    const run = await app.startRun(
      {
        task: isDemo ? readRecording('media/offline/demo.jsonl').task : 'Find the secret word.',
        config: isDemo ? atOnce(team.config) : team.config,
        folders: [{ name: 'project', path: bench.project, permission: 'write' }],
        unsaved: new Map(),
        commandPolicy: allowAll,
      },
      signal,
    );
    const state = await run.ended;
    const failures = state.agents.flatMap(({ lastError }) => lastError ?? []);
    expect([state.outcome, failures]).toEqual(['completed', []]);
    expect(state.selection?.winner?.label).toMatch(isDemo ? /^agent[123]\.\d$/ : /^agent1\.1$/);
    const journal = team.services.flatMap((service) => service.journal);
    // A call that an answer of another agent has made needless is given up by the team.
    const asWanted = ['complete', 'client-closed'];
    expect(journal.filter(({ outcome }) => !asWanted.includes(outcome))).toEqual([]);
    expect(journal.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(journal.length > 0 ? ['complete'] : []),
    );
    const called = JSON.stringify(journal.map(({ body }) => body));
    for (const server of team.config.agents.flatMap(({ tools }) => tools?.servers ?? [])) {
      expect(called).toMatch(new RegExp(`mcp__${server.name}__`));
      expect(called).toContain(' was called');
    }
  });
});

function atOnce(config: PlayedTeam['config']): PlayedTeam['config'] {
  const agents = config.agents.map((agent) => ({
    ...agent,
    backend: { ...agent.backend, options: { ...agent.backend.options, speed: 1000 } },
  }));
  return { ...config, agents };
}
