import { describe, expect, it } from 'vitest';
import { openTurn } from '../../../../src/core/agent/opening';
import { PeerView } from '../../../../src/core/agent/peer-view';
import type { TurnInput } from '../../../../src/core/ports/agent-runtime';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import type { PastAttempt, RunState } from '../../../../src/run/state';
import { InMemoryWorkspaces } from '../../../support/in-memory-workspace';
import { bytes, startRun, tempFolder } from '../../workspace/temp-project';
import {
  answerOf,
  emptyAgreement,
  startedState,
  turnInput,
  withAgent,
} from '../../../support/turn-input';

const never = new AbortController().signal;

/** A workspace in which the agent has just written `now`, with stored files of earlier work. */
async function stage() {
  const workspaces = new InMemoryWorkspaces({ 'a.txt': 'base' });
  const workspace = workspaces.create(1);
  const keep = async (text: string): Promise<string> => {
    workspace.files = new Map([['a.txt', text]]);
    return (await workspace.takeSnapshot(never)).id;
  };
  const ids = { old: await keep('old'), draft: await keep('draft'), winner: await keep('winner') };
  workspace.files = new Map([['a.txt', 'now']]);
  const open = async (state: RunState, own: Partial<TurnInput> = {}) => {
    const turn = turnInput(state, { turnNo: 2, ...own });
    const view = new PeerView(workspace, turn);
    const parts = { workspace, view, contextWindowTokens: 1000, tools: [], instructions: [] };
    const { text } = await openTurn(turn, parts, never);
    return { file: workspace.files.get('a.txt'), text, shown: workspace.peersView };
  };
  return { ids, open };
}

const run = (settings: Partial<CoordinationSettings> = {}): RunState =>
  startedState(2, { settings });

function pastWith(snapshotId: string | null): PastAttempt {
  return {
    ...{ attempt: 1, startedAt: 0, endedAt: 1, winner: null, decidedBy: null, finalText: '' },
    snapshotId,
    evaluation: { decision: 'restart', reason: 'R', instructions: '', by: 'evaluator' },
  };
}

describe('the files at the beginning of a turn', () => {
  it("are those of the agent's last answer", async () => {
    const { ids, open } = await stage();
    const state = withAgent(run(), 1, { revisions: [answerOf(1, 'A', { snapshotId: ids.old })] });
    expect((await open(state)).file).toBe('old');
  });

  it('are those of an answer that was held back', async () => {
    const { ids, open } = await stage();
    const state = withAgent(run(), 1, {
      revisions: [answerOf(1, 'A', { snapshotId: ids.old })],
      draft: { text: 'D', snapshotId: ids.draft, changes: [], heldAt: 0 },
    });
    expect((await open(state)).file).toBe('draft');
  });

  it('are those of the start of the run where answers are not kept', async () => {
    const { ids, open } = await stage();
    const state = withAgent(run({ workspaceAfterAnswer: 'clear' }), 1, {
      revisions: [answerOf(1, 'A', { snapshotId: ids.old })],
    });
    expect((await open(state)).file).toBe('base');
  });

  it('are left alone in the first turn, and as at the start after one without an answer', async () => {
    const { open } = await stage();
    expect((await open(run(), { turnNo: 1 })).file).toBe('now');
    expect((await open(run())).file).toBe('base');
  });

  it('stay as they are when those of the answer could not be kept', async () => {
    const { open } = await stage();
    const state = withAgent(run(), 1, { revisions: [answerOf(1, 'A')] });
    expect((await open(state)).file).toBe('now');
  });

  it.each(['present', 'evaluate'] as const)(
    'are to %s those of the answer that was chosen',
    async (purpose) => {
      const { ids, open } = await stage();
      const own = withAgent(run(), 1, { revisions: [answerOf(1, 'A', { snapshotId: ids.old })] });
      const state = withAgent(own, 2, {
        revisions: [answerOf(2, 'B', { snapshotId: ids.winner })],
      });
      const chosen: RunState = {
        ...state,
        selection: { winner: { slot: 2, label: 'agent2.1' }, agreement: emptyAgreement },
      };
      expect((await open(chosen, { purpose })).file).toBe('winner');
    },
  );

  it.each([
    ['seed', 'winner'],
    ['clear', 'base'],
  ] as const)('of a new attempt are by the setting %s those of %s', async (setting, file) => {
    const { ids, open } = await stage();
    const state = {
      ...run({ restartWorkspace: setting }),
      attempt: 2,
      pastAttempts: [pastWith(ids.winner)],
    };
    const opened = await open(state);
    expect(opened.file).toBe(file);
    expect(opened.shown.previousAttempt).toBe(ids.winner);
    expect(opened.text).toMatch(
      /The files of the attempt before \(read only\): \/run\/\S+\/peers\/[0-9a-f]{8}\/previous_attempt$/m,
    );
  });

  it('of a new attempt give way to its own answers', async () => {
    const { ids, open } = await stage();
    const answered = withAgent(run(), 1, {
      revisions: [answerOf(1, 'A', { snapshotId: ids.old })],
    });
    const state = { ...answered, attempt: 2, pastAttempts: [pastWith(ids.winner)] };
    expect((await open(state)).file).toBe('old');
  });
});

describe('notes', () => {
  async function openWith(memoryFiles: boolean): Promise<string> {
    const workspace = await startRun(tempFolder()).agent();
    const path = `${workspace.roots[1]?.shownPath}/memory/short_term/n.md`;
    await workspace.writeFile(path, bytes('Line 3 is off.'), never);
    const turn = turnInput(run({ memoryFiles }));
    const view = new PeerView(workspace, turn);
    const parts = { workspace, view, contextWindowTokens: 1000, tools: [], instructions: [] };
    return (await openTurn(turn, parts, never)).text;
  }

  it('stand in the first message where they are kept', async () => {
    expect(await openWith(true)).toContain('<<<note agent1 n>>>\nLine 3 is off.');
    expect(await openWith(false)).not.toContain('Line 3');
  });
});

describe('T2: the first message of a follow-up task', () => {
  it('says where the files of the last answer are', async () => {
    const { open } = await stage();
    const seed = { runId: 'run-0', snapshotId: 's' };
    const session = { sessionId: 's', turn: 2, history: [], seed };
    const { text } = await open(startedState(2, { session }), { turnNo: 1 });
    expect(text).toMatch(/unchanged \(read only\) it is in \/run\/\S+\/previous_turn$/m);
    expect((await open(run())).text).not.toContain('previous_turn');
  });
});
