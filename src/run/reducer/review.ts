import type { ChangeSetReady, FileDecided, MixPicked } from '../events';
import type { FileChange } from '../facts';
import type { ReviewDecision, ReviewFile, RunState } from '../state';

type HunkDecisions = NonNullable<ReviewFile['hunkDecisions']>;

export function changeSetReady(state: RunState, event: ChangeSetReady): RunState {
  const files = event.files.map((file): ReviewFile => ({ ...file, decision: 'pending' }));
  return {
    ...state,
    review: { label: event.label, snapshotId: event.snapshotId, files },
  };
}

export function fileDecided(state: RunState, event: FileDecided): RunState {
  const isOther = state.review?.files.some((file) => changesProposal(file, event)) ?? false;
  return withFile(isOther ? unchecked(state) : state, event, (file) => {
    const one = toDecision(event);
    const { detail: _old, hunkDecisions: _all, ...rest } = file;
    if (event.hunk === undefined) {
      const all = (file.hunks ?? []).map(({ id }) => [id, one] as const);
      const hunkDecisions: HunkDecisions = Object.fromEntries(all);
      return { ...rest, ...one, ...(all.length > 0 ? { hunkDecisions } : {}) };
    }
    const hunkDecisions: HunkDecisions = { ...file.hunkDecisions, [event.hunk]: one };
    return { ...rest, hunkDecisions, ...summary(file, hunkDecisions) };
  });
}

/** What is rejected is left out of the proposal; all else that is decided leaves the proposal as it is. */
function changesProposal(file: ReviewFile, event: FileDecided): boolean {
  const { decision, hunk } = event;
  if (file.root !== event.root || file.path !== event.path) {
    return false;
  }
  const parts = hunk === undefined ? Object.values(file.hunkDecisions ?? {}) : [];
  const before = hunk === undefined ? file.decision : file.hunkDecisions?.[hunk]?.decision;
  return [decision, before, ...parts.map((one) => one.decision)].includes('rejected');
}

/** What the checks said of the proposal before says nothing of it now. */
function unchecked(state: RunState): RunState {
  if (state.review?.checkedMix === undefined) {
    return state;
  }
  const { checkedMix: _old, ...review } = state.review;
  return { ...state, review };
}

/** What was decided about a part holds as long as the part is in the proposal. */
export function mixPicked(state: RunState, event: MixPicked): RunState {
  if (state.review === null) {
    return state;
  }
  const { root, path, change, parts } = event;
  const isKnown = state.review.files.some((file) => file.root === root && file.path === path);
  const known: RunState = isKnown ? unchecked(state) : withNewFile(unchecked(state), change);
  return withFile(known, event, ({ hunkDecisions: before }) => {
    const hunks = change.hunks ?? [];
    const kept = hunks.flatMap(({ id }) => {
      const one = before?.[id];
      return one === undefined ? [] : [[id, one] as const];
    });
    const hunkDecisions = Object.fromEntries(kept);
    return { ...change, parts, hunkDecisions, ...summary(change, hunkDecisions) };
  });
}

function withNewFile(state: RunState, change: FileChange): RunState {
  if (state.review === null) {
    return state;
  }
  const files = [...state.review.files, { ...change, decision: 'pending' as const }];
  return { ...state, review: { ...state.review, files } };
}

function withFile(
  state: RunState,
  target: { readonly root: string; readonly path: string },
  change: (file: ReviewFile) => ReviewFile,
): RunState {
  if (state.review === null) {
    return state;
  }
  const files = state.review.files.map((file) =>
    file.root === target.root && file.path === target.path ? change(file) : file,
  );
  return { ...state, review: { ...state.review, files } };
}

/** A detail belongs to the decision it came with. */
function toDecision({ decision, detail }: FileDecided): {
  readonly decision: ReviewDecision;
  readonly detail?: string;
} {
  return { decision, ...(detail === undefined ? {} : { detail }) };
}

function summary(
  { hunks }: FileChange,
  decisions: HunkDecisions,
): { readonly decision: ReviewDecision; readonly detail?: string } {
  const all = (hunks ?? []).map(({ id }) => decisions[id] ?? { decision: 'pending' as const });
  const order: readonly ReviewDecision[] = ['conflict', 'pending', 'accepted'];
  for (const wanted of order) {
    const found = all.find(({ decision }) => decision === wanted);
    if (found !== undefined) {
      return found;
    }
  }
  return { decision: all.length > 0 ? 'rejected' : 'pending' };
}
