import { describe, expect, it } from 'vitest';
import { ReplayedRun, storedOf } from '../../../support/replayed-run';
import { RunHarness } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';

/** The first agent hands in while a command of it still runs; both then vote. */
async function played(): Promise<RunHarness> {
  const script = (text: string) => [[say.answer(text)], [say.vote('agent1')], [say.vote('agent1')]];
  const harness = new RunHarness([script('A.'), script('B.')]);
  const workspace = harness.workspaces.agents.get(1);
  if (workspace !== undefined) {
    workspace.isUnsettled = true;
  }
  await harness.play();
  return harness;
}

describe('files that are taken while a command still runs', () => {
  it('are marked in the answer, and people are warned', async () => {
    const harness = await played();
    const [first, second] = harness.record.state.agents.map(({ revisions }) => revisions.at(-1));
    expect(first?.isUnsettled).toBe(true);
    expect(second).not.toHaveProperty('isUnsettled');
    const warnings = harness.events
      .map(({ event }) => event)
      .filter((event) => event.type === 'warning-raised' && event.code.startsWith('snapshot-'));
    expect(warnings).toEqual([
      {
        type: 'warning-raised',
        code: 'snapshot-unsettled',
        message:
          'The files of an answer of agent1 were taken while a command of it still ran, so they may be half written. Look at them before you accept them.',
      },
    ]);
  });

  it('are told as such to those who vote', async () => {
    const harness = await played();
    const told = JSON.stringify(harness.backends[1]?.requests.at(-1)?.messages);
    expect(told).toMatch(
      /Answer agent1\.1\. Its files: [^(]*\(taken while a command of its author/,
    );
    expect(told).not.toMatch(/Answer agent2\.1\.[^\\n]*\(taken while/);
  });

  it('are the same when the run is played again', async () => {
    const harness = await played();
    const again = new ReplayedRun(storedOf(harness), {});
    expect(await again.replay()).toBeNull();
    expect(again.record.state).toEqual(harness.record.state);
  });
});
