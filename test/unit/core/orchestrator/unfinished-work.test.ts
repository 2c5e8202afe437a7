import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../src/core/errors';
import { ArtifactProjection } from '../../../../src/protocol/artifacts/projection';
import { look, put } from '../../../support/plain-tools';
import { noPayloads } from '../../../support/project';
import { gate, RunHarness, settle } from '../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../support/scripted-backend';

const write = (text: string): ScriptedResponse => [{ call: 'put', input: { path: 'a.txt', text } }];

/** Labels of work that came to nothing, each with what was in its file. */
function kept({ events, workspaces }: RunHarness): Readonly<Record<string, string | undefined>> {
  const files = new Map<string, string>();
  const copies = new Map<string, string>();
  const projection = new ArtifactProjection({
    sink: {
      append: () => undefined,
      replace: (path, text) => files.set(path, text),
      copyFiles: (folder, id) => copies.set(folder, id),
    },
    payloads: noPayloads,
    toYaml: stringify,
    logDir: '',
    host: null,
  });
  events.forEach((event) => projection.add(event));
  projection.refresh();
  const mappings = JSON.parse(files.get('snapshot_mappings.json') ?? '{}') as Readonly<
    Record<string, { readonly type: string; readonly path: string }>
  >;
  return Object.fromEntries(
    Object.entries(mappings)
      .filter(([, { type }]) => type === 'work_in_progress')
      .map(([label, { path }]) => {
        expect(files.has(path)).toBe(true);
        expect(path).toMatch(/^[^/]+\/[^/]+\/wip\/context\.txt$/);
        const id = copies.get(path.replace(/\/context\.txt$/, '')) ?? '';
        return [label, workspaces.snapshots.get(id)?.get('a.txt')];
      }),
  );
}

describe('files of a turn that came to nothing', () => {
  it('W4: are kept when the turn is given up, and the next one starts from the last answer', async () => {
    const { opened, open } = gate();
    const harness = new RunHarness(
      [
        [
          write('answered'),
          [say.answer('A1.')],
          [{ until: opened }, { call: 'put', input: { path: 'a.txt', text: 'half done' } }],
          [{ call: 'look', input: { path: 'a.txt' } }],
          [say.vote('agent2')],
          ['F.'],
        ],
        [[{ until: opened }, say.answer('B1.')], [say.vote('agent2')], ['F.']],
      ],
      {
        tools: [look, put],
        settings: {
          ...{ updateDelivery: 'restart', deferVotingUntilAllAnswered: false },
          ...{ waitForFirstRival: false, selfVote: 'allow', stop: 'full' },
        },
      },
    );
    const ended = harness.play();
    await settle();
    open();
    const state = await ended;
    expect(state.agents[0]?.revisions).toHaveLength(1);
    expect(kept(harness)).toEqual({ 'agent1.wip2': 'half done' });
    const looked = harness.backends[0]?.requests.find(
      ({ step, messages }) => step.turnNo === 3 && messages.length > 1,
    );
    expect(JSON.stringify(looked?.messages)).toContain('"text":"answered"');
    const shown = JSON.stringify(harness.backends[1]?.requests);
    expect(shown).not.toContain('half done');
  });

  const hangs: ScriptedResponse = [{ until: new Promise<void>(() => undefined) }];

  it.each([
    ['the user stops the run', (run: RunHarness) => run.driver.cancel(), hangs],
    ['the time of the run is over', (run: RunHarness) => run.clock.advance(60_000), hangs],
    ['the time of the turn is over', (run: RunHarness) => run.clock.advance(30_000), hangs],
    [
      'the model fails',
      () => undefined,
      [{ fail: new MassGenError('backend/auth', 'The key was refused.') }],
    ],
  ] as const)('are kept when %s', async (_what, act, last: ScriptedResponse) => {
    const harness = new RunHarness([[write('half done'), last]], {
      tools: [put],
      caps: { durationMs: 60_000 },
      settings: { turnTimeoutMs: 30_000, maxFailedTurns: 1 },
    });
    const ended = harness.play();
    await settle();
    act(harness);
    await ended;
    expect(kept(harness)).toEqual({ 'agent1.wip1': 'half done' });
  });

  it('are not kept where nothing was changed, or the answer has them', async () => {
    const harness = new RunHarness(
      [[[{ call: 'look', input: { path: 'a.txt' } }], write('whole'), [say.answer('Done.')]]],
      { tools: [look, put] },
    );
    await harness.play();
    expect(kept(harness)).toEqual({});
    const idle = new RunHarness([[hangs]], { tools: [look, put] });
    const ended = idle.play();
    await settle();
    idle.driver.cancel();
    await ended;
    expect(kept(idle)).toEqual({});
  });
});
