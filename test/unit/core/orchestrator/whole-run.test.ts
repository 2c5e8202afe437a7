import { describe, expect, it } from 'vitest';
import { RunHarness } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';

describe('a whole run', () => {
  it('collects drafts, votes, lets the winner present, and ends', async () => {
    const harness = new RunHarness([
      [[say.answer('First draft.')], [say.vote('agent2')]],
      [[say.answer('Second draft.')], [say.vote('agent2')], ['The final text.']],
      [[say.answer('Third draft.')], [say.vote('agent1')]],
    ]);
    const state = await harness.play();
    expect(state.outcome).toBe('completed');
    expect(state.selection?.winner).toEqual({ slot: 2, label: 'agent2.1' });
    expect(state.finalAnswer).toEqual({
      slot: 2,
      label: 'agent2.1',
      text: 'The final text.',
      source: 'presented',
    });
    expect(harness.backends.map((backend) => backend.requests.length)).toEqual([2, 3, 2]);
  });
});
