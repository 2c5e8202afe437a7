import type { JSX } from 'preact';
import { selectChangedFiles } from '../../src/run/selectors/changed-files';
import { selectMix } from '../../src/run/selectors/mix';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { Sentence } from '../parts/text';

/** Stays at the bottom while there is something to decide or to take back. */
export function ActionBar({ state }: { readonly state: RunState }): JSX.Element | null {
  const { post, language, isReplay } = usePanel();
  const { files, pending, pendingForAll, accepted } = selectChangedFiles(state, language);
  const { runId } = state;
  const mix = selectMix(state, language);
  if (isReplay || files.every((file) => file.isDeliverable)) {
    return null;
  }
  return (
    <div class="action-bar" role="group" aria-label="Review">
      {pending > 0 && mix?.status === 'worse' ? (
        <p class="icon-line action-note">
          <Icon name="error" tone="bad" />
          <span>
            <Sentence text={mix.sentence} />
          </span>
        </p>
      ) : null}
      {pending > 0 ? (
        <Button
          text="Accept All"
          isPrimary
          isDisabled={pendingForAll === 0}
          onClick={() => post({ type: 'accept-all', runId })}
        />
      ) : null}
      <Button text="Open Review" onClick={() => post({ type: 'open-review', runId })} />
      {pending > 0 ? (
        <Button text="Reject All" onClick={() => post({ type: 'reject-all', runId })} />
      ) : null}
      {pending === 0 && accepted > 0 ? (
        <Button text="Undo Accept" onClick={() => post({ type: 'undo-all', runId })} />
      ) : null}
    </div>
  );
}
