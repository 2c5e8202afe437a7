import type { Label, Slot } from '../../base/ids';
import type { Citation, Revision } from '../facts';
import type { AgentState, RunState } from '../state';

/** A current answer that can be voted for. */
export interface Candidate {
  readonly slot: Slot;
  readonly label: Label;
  /** The beginning of the answer on one line; text of a model. */
  readonly summary: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** What is to be known of its files before they are taken over; mostly empty. */
  readonly filesNote: string;
  /** Sources that its author named; untrusted. */
  readonly citations: readonly Citation[];
}

export interface CandidateList {
  /** By slot, never by votes: nothing is ranked while the votes come in. */
  readonly candidates: readonly Candidate[];
  readonly replaced: number;
  /** `3 current, 1 replaced`. */
  readonly text: string;
}

const summaryLimit = 160;

/** The newest answer of an agent, the one others vote on. */
export function currentRevision(agent: AgentState): Revision | undefined {
  return agent.revisions.at(-1);
}

export function selectCandidates(state: RunState): CandidateList {
  const candidates = state.agents.flatMap((agent) => {
    const revision = currentRevision(agent);
    return revision === undefined ? [] : [toCandidate(revision)];
  });
  const all = state.agents.reduce((sum, agent) => sum + agent.revisions.length, 0);
  const replaced = all - candidates.length;
  return {
    candidates,
    replaced,
    text: `${candidates.length} current${replaced > 0 ? `, ${replaced} replaced` : ''}`,
  };
}

/** `Its files were taken while …`; empty for files that nothing worked on. */
export function filesNote({ isUnsettled }: Revision): string {
  return isUnsettled === true
    ? 'Its files were taken while a command of it still ran, so they may be half written.'
    : '';
}

function toCandidate(revision: Revision): Candidate {
  const { slot, label, text, changes } = revision;
  const line = text.trim().split('\n', 1)[0] ?? '';
  return {
    slot,
    label,
    summary: line.slice(0, summaryLimit),
    files: changes.length,
    added: changes.reduce((sum, change) => sum + change.added, 0),
    removed: changes.reduce((sum, change) => sum + change.removed, 0),
    filesNote: filesNote(revision),
    citations: revision.citations ?? [],
  };
}
