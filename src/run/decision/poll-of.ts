import { parseLabel } from '../../base/ids';
import type { Label, Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';
import type { AgentInfo, Ballot, Revision } from '../facts';
import type { Elector, Poll, PollBallot, PollCandidate } from './poll';

export interface PollParts {
  readonly candidates: readonly Revision[];
  readonly electors: readonly AgentInfo[];
  readonly ballots: readonly Ballot[];
  /** Result of the checks of an answer, larger is better; absent: there are none. */
  readonly evidenceOf?: (label: Label) => number | null;
}

/** Reads what is decided about off the answers, agents and ballots of a run. */
export function pollOf({ candidates, electors, ballots, evidenceOf }: PollParts): Poll {
  return {
    candidates: candidates.map((one) => toCandidate(one, evidenceOf?.(one.label) ?? null)),
    electors: electors.map(toElector),
    ballots: ballots.flatMap(toBallot),
  };
}

function toCandidate(revision: Revision, evidence: number | null): PollCandidate {
  const { slot, label, seq, changes } = revision;
  return {
    slot,
    label,
    seq,
    changedLines: changes.reduce((sum, { added, removed }) => sum + added + removed, 0),
    changedFiles: changes.length,
    evidence,
    // Read only where a lot is drawn: hashing long answers at every count would be felt.
    get contentHash() {
      return contentHash(revision);
    },
  };
}

/** The files are named by their content, so that equal answers of two agents have equal hashes. */
export function contentHash({ text, snapshotId, changes }: Revision): string {
  const files = snapshotId ?? changes.map(({ root, path }) => `${root}/${path}`).join('\n');
  return sha256Hex(`${sha256Hex(text)}\n${files}`);
}

function toElector({ slot, weight, family, model }: AgentInfo): Elector {
  return { slot, weight, family, model };
}

function toBallot({ voter, target, approve, isInformed }: Ballot): PollBallot[] {
  const slot = slotNamed(target);
  return slot === undefined
    ? []
    : [
        {
          voter,
          target: slot,
          approve: (approve ?? []).flatMap((label) => slotNamed(label) ?? []),
          isInformed,
        },
      ];
}

function slotNamed(label: Label): Slot | undefined {
  return parseLabel(label)?.slot;
}
