import { describe, expect, it } from 'vitest';
import { RunHarness } from '../../../../support/run-harness';
import { look, shell } from '../../../../support/plain-tools';
import { say } from '../../../../support/scripted-backend';

async function systems(options: ConstructorParameters<typeof RunHarness>[1] = {}) {
  const harness = new RunHarness(
    [
      [[say.answer('A.')], [say.vote('agent1')], ['F.']],
      [[say.answer('B.')], [say.vote('agent1')]],
    ],
    options,
  );
  await harness.play();
  const [draft, vote, present] = harness.backends[0]?.requests.map(({ system }) => system) ?? [];
  return { draft: draft ?? '', vote: vote ?? '', present: present ?? '' };
}

describe('the system message', () => {
  it("begins with the user's own text, unchanged", async () => {
    const own = 'You are a careful reviewer.\n<<<Not a delimiter>>>';
    const { draft } = await systems({ systemMessages: [own, undefined] });
    expect(draft.startsWith(`${own}\n\n# How you work`)).toBe(true);
  });

  it('speaks of voting only when votes can be cast', async () => {
    const { draft, vote } = await systems();
    expect(draft).not.toContain('call `vote` for it');
    expect(vote).toContain('call `vote` for it');
  });

  it('asks for as much as the settings do before a vote', async () => {
    const lenient = await systems({ settings: { votingSensitivity: 'lenient' } });
    const strict = await systems({ settings: { votingSensitivity: 'strict' } });
    expect(lenient.vote).toContain('it addresses the task well');
    expect(strict.vote).toContain('nothing is left to improve');
  });

  it('tells the presenter to report, without a word on voting tools', async () => {
    const { present } = await systems();
    expect(present).toContain('You write the final text for the user.');
    expect(present).not.toContain('`vote`');
  });

  it('explains commands only to agents that can run them', async () => {
    expect((await systems({ tools: [look] })).draft).not.toContain('Commands run in a shell');
    expect((await systems({ tools: [shell] })).draft).toContain('Commands run in a shell');
  });

  it('lists the places of the agent with what may be done there, and the time', async () => {
    const { draft } = await systems();
    expect(draft).toMatch(
      /^- \/run\/\S+\/project: the user's folder "project" \(you may change it\)\.$/m,
    );
    expect(draft).toMatch(/^- \/run\/\S+\/peers: .*\(read only\)\.$/m);
    expect(draft).toContain('Date and time: 1970-01-01 00:16 UTC');
  });
});
