import { describe, expect, it } from 'vitest';
import { RunHarness } from '../../../../support/run-harness';
import { look, put, shell } from '../../../../support/plain-tools';
import { say } from '../../../../support/scripted-backend';

async function systems(options: ConstructorParameters<typeof RunHarness>[1] = {}) {
  const harness = new RunHarness(
    [
      [[say.answer('A.')], [say.vote('agent2')], ['F.']],
      [[say.answer('B.')], [say.vote('agent1')], ['F.']],
    ],
    { ...options, settings: { selfVote: 'allow', maxRunoffs: 0, ...options.settings } },
  );
  const state = await harness.play();
  const winner = state.selection?.winner?.slot ?? 0;
  const requests = harness.backends[winner - 1]?.requests ?? [];
  expect(requests).toHaveLength(3);
  return requests.map(({ system }) => system);
}

describe('the system message', () => {
  it('is the same in every turn, also in the one that presents', async () => {
    const [draft, vote, present] = await systems({ tools: [look, put, shell] });
    expect(vote).toBe(draft);
    expect(present).toBe(draft);
  });

  it("begins with the user's own text, unchanged", async () => {
    const own = 'You are a careful reviewer.\n<<<Not a delimiter>>>';
    const [draft] = await systems({ systemMessages: [own, own] });
    expect(draft?.startsWith(`${own}\n\n# How you work`)).toBe(true);
  });

  it('says how the team works, and that nobody votes where the task is divided', async () => {
    const [voting] = await systems();
    expect(voting).toContain('You are one of 2 agents who do the same task');
    const harness = new RunHarness([[], []], { settings: { mode: 'decomposition' } });
    const ended = harness.play();
    await ended;
    const divided = harness.backends[0]?.requests[0]?.system;
    expect(divided).toContain('You are one of 2 agents who divide one task between them.');
    expect(divided).toContain('Nobody votes');
  });

  it('tells an agent on its own nothing of a team', async () => {
    const harness = new RunHarness([[[say.answer('A.')]]]);
    await harness.play();
    const system = harness.backends[0]?.requests[0]?.system;
    expect(system).toContain('You do the task on your own.');
    expect(system).not.toContain('vote');
  });

  it('explains commands only to agents that can run them', async () => {
    expect((await systems({ tools: [look] }))[0]).not.toContain('Commands run in a shell');
    expect((await systems({ tools: [shell] }))[0]).toContain('Commands run in a shell');
  });

  it('explains notes only where they are kept', async () => {
    const [without] = await systems();
    expect(without).not.toContain('# Notes');
    const [withNotes] = await systems({ settings: { memoryFiles: true } });
    expect(withNotes).toMatch(/\/run\/\S+\/workspace\/memory\/short_term\/\*\.md/);
    expect(withNotes).toContain('name, description, created, updated');
  });

  it('lists the places of the agent with what may be done there', async () => {
    const [draft] = await systems();
    expect(draft).toMatch(
      /^- \/run\/\S+\/project: the user's folder "project" \(you may change it\)\.$/m,
    );
    expect(draft).toMatch(/^- \/run\/\S+\/peers: .*\(read only\)\.$/m);
  });
});
