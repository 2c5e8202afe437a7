import type { Label, Slot, SnapshotId } from '../../base/ids';
import { isExcluded } from '../../run/checks';
import type { RunState } from '../../run/state';
import type { TurnInput } from '../ports/agent-runtime';
import type { Tool } from '../ports/tool';
import type { AgentWorkspace } from '../ports/workspace';
import { displayOrder } from '../coordination/display-order';
import { notesPlaces, readNotes } from './memory-files';
import type { PeerView } from './peer-view';
import { findRevision, type ShownAnswer } from './prompt/answers';
import { budgetsFor } from './prompt/budget';
import { tailsOf } from './prompt/check-results';
import { firstMessage } from './prompt/first-message';
import type { InstructionText } from './prompt/instruction-files';

export interface OpeningParts {
  readonly workspace: AgentWorkspace;
  readonly view: PeerView;
  readonly contextWindowTokens: number | undefined;
  /** Ordinary tools of the turn. */
  readonly tools: readonly Tool[];
  /** Instructions of folders that the agent worked in before. */
  readonly instructions: readonly InstructionText[];
}

/** Puts the files as the turn needs them and writes its first message; also answers how long the answers in it are. */
export async function openTurn(
  turn: TurnInput,
  parts: OpeningParts,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly answerChars: number }> {
  const { state, slot, shown } = turn;
  const { workspace, view } = parts;
  await resetFiles(turn, workspace, signal);
  const answers = view.show(state, inDisplayOrder(state, slot, shown));
  const budgets = budgetsFor(state.settings, parts.contextWindowTokens);
  const notes = state.settings.memoryFiles
    ? await readNotes(workspace, notesPlaces(workspace, slot, answers.map(placeOf)), signal)
    : [];
  const text = firstMessage(turn, {
    ...{ answers, notes, budgets },
    ...{ tools: parts.tools, instructions: parts.instructions },
    localize: (neutral) => workspace.localizePaths(neutral),
    earlierFolders: earlierFolders(state, view),
  });
  const all = answers.reduce((sum, answer) => sum + answer.text.length + outputChars(answer), 0);
  return { text, answerChars: Math.min(all, budgets.answers) };
}

function outputChars({ checks }: ShownAnswer): number {
  return checks === undefined ? 0 : tailsOf(checks).reduce((sum, tail) => sum + tail.length, 0);
}

function placeOf({ revision, folder }: ShownAnswer): { slot: Slot; folder: string } {
  return { slot: revision.slot, folder };
}

/**
 * A turn starts from the agent's own last answer, or one that was held back; a presentation and an evaluation start
 * from the answer that was chosen, and a new attempt from the one that was found wanting.
 */
async function resetFiles(
  turn: TurnInput,
  workspace: AgentWorkspace,
  signal: AbortSignal,
): Promise<void> {
  const start = startingFiles(turn);
  if (start !== undefined) {
    await workspace.restore(start.snapshotId, signal);
  }
}

/** State of the files to begin with; `null`: as at the start of the run. */
interface StartingFiles {
  readonly snapshotId: SnapshotId | null;
}

const fromScratch: StartingFiles = { snapshotId: null };

/** `undefined`: the files stay as the agent has them. */
function startingFiles(turn: TurnInput): StartingFiles | undefined {
  const { state, slot, purpose } = turn;
  const chosen = state.selection?.winner?.label;
  if (purpose !== 'coordinate' && chosen !== undefined) {
    return keptFiles(findRevision(state, chosen));
  }
  const agent = state.agents[slot - 1];
  const draft = agent?.draft ?? undefined;
  const answer = agent?.revisions.at(-1);
  if (draft !== undefined) {
    return keptFiles(draft);
  }
  if (answer === undefined) {
    return beforeFirstAnswer(turn);
  }
  // An answer that failed its checks is there to be mended.
  const isCleared =
    state.settings.workspaceAfterAnswer === 'clear' && !isExcluded(state, answer.label);
  return isCleared ? fromScratch : keptFiles(answer);
}

function beforeFirstAnswer({ state, turnNo }: TurnInput): StartingFiles | undefined {
  const past = state.pastAttempts.at(-1);
  if (past !== undefined) {
    return state.settings.restartWorkspace === 'seed' ? past : fromScratch;
  }
  return turnNo === 1 ? undefined : fromScratch;
}

/** An answer whose snapshot failed has no stored files; what the agent has is nearest to them. */
function keptFiles(source: StartingFiles | undefined): StartingFiles | undefined {
  return source === undefined || source.snapshotId === null ? undefined : source;
}

function inDisplayOrder(state: RunState, viewer: Slot, labels: readonly Label[]): readonly Label[] {
  const ordered = displayOrder(state, viewer).filter((label) => labels.includes(label));
  return [...ordered, ...labels.filter((label) => !ordered.includes(label))];
}

function earlierFolders(state: RunState, view: PeerView): readonly string[] {
  const hasAttempt = (state.pastAttempts.at(-1)?.snapshotId ?? null) !== null;
  return [
    ...(hasAttempt
      ? [`The files of the attempt before (read only): ${view.folderOf('previous_attempt')}`]
      : []),
    ...(state.session?.seed === undefined
      ? []
      : [
          `What the last answer of this conversation left in its own folder is in yours; unchanged (read only) it is in ${view.folderOf('previous_turn')}`,
        ]),
  ];
}
