import type { Label, Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import type { TurnInput } from '../ports/agent-runtime';
import type { AgentWorkspace, PeerSnapshot } from '../ports/workspace';
import { displayOrder } from '../coordination/display-order';
import { findRevision, shownAnswers } from './prompt/answers';
import { presentationMessage } from './prompt/presentation';
import { taskMessage } from './prompt/task-message';

/** Puts the files as the turn needs them and writes its first message. */
export async function openTurn(
  turn: TurnInput,
  workspace: AgentWorkspace,
  contextWindowTokens: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { state, slot, shown } = turn;
  const presented = turn.purpose === 'present' ? state.selection?.winner?.label : undefined;
  await resetFiles(turn, presented, workspace, signal);
  const ordered = inDisplayOrder(state, slot, shown);
  const answers = shownAnswers(state, ordered, showFiles(workspace, state, shown));
  return presented === undefined
    ? taskMessage(state, answers, contextWindowTokens)
    : presentationMessage(state, presented, answers, contextWindowTokens);
}

/** A turn starts from the agent's own last answer, a presentation from the answer that was chosen. */
async function resetFiles(
  { state, slot, turnNo }: TurnInput,
  presented: Label | undefined,
  workspace: AgentWorkspace,
  signal: AbortSignal,
): Promise<void> {
  const source =
    presented === undefined
      ? state.agents[slot - 1]?.revisions.at(-1)
      : findRevision(state, presented);
  if (source === undefined && turnNo === 1) {
    return;
  }
  // An answer whose snapshot failed has no stored files; what the agent has is nearest to them.
  if (source?.snapshotId !== null) {
    await workspace.restore(source?.snapshotId ?? null, signal);
  }
}

function inDisplayOrder(state: RunState, viewer: Slot, labels: readonly Label[]): readonly Label[] {
  const ordered = displayOrder(state, viewer).filter((label) => labels.includes(label));
  return [...ordered, ...labels.filter((label) => !ordered.includes(label))];
}

/** Lets the agent read the files of these answers; returns the folder per slot. */
export function showFiles(
  workspace: AgentWorkspace,
  state: RunState,
  labels: readonly Label[],
): ReadonlyMap<Slot, string> {
  const peers = labels.flatMap((label): PeerSnapshot[] => {
    const revision = findRevision(state, label);
    return revision?.snapshotId === undefined || revision.snapshotId === null
      ? []
      : [{ slot: revision.slot, label, snapshotId: revision.snapshotId }];
  });
  return workspace.showPeers(peers);
}
