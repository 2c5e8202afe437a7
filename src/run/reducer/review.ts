import type { ChangeSetReady, FileDecided } from '../events';
import type { ReviewFile, RunState } from '../state';

export function changeSetReady(state: RunState, event: ChangeSetReady): RunState {
  const files = event.files.map((file): ReviewFile => ({ ...file, decision: 'pending' }));
  return {
    ...state,
    review: { label: event.label, snapshotId: event.snapshotId, files },
  };
}

export function fileDecided(state: RunState, event: FileDecided): RunState {
  if (state.review === null) {
    return state;
  }
  const files = state.review.files.map((file) =>
    file.root === event.root && file.path === event.path ? decided(file, event) : file,
  );
  return { ...state, review: { ...state.review, files } };
}

/** A detail belongs to the decision it came with. */
function decided(file: ReviewFile, event: FileDecided): ReviewFile {
  const { detail: _old, ...rest } = file;
  return {
    ...rest,
    decision: event.decision,
    ...(event.detail === undefined ? {} : { detail: event.detail }),
  };
}
