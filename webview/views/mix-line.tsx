// Below the files: that the proposal is not what was voted for any more, and what the checks say of it as a whole.
import type { JSX } from 'preact';
import { selectMix } from '../../src/run/selectors/mix';
import type { Mix } from '../../src/run/selectors/mix';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { Sentence } from '../parts/text';
import { CheckList } from './check-list';

export function MixLine({ state }: { readonly state: RunState }): JSX.Element | null {
  const { post, language, isReplay } = usePanel();
  const mix = selectMix(state, language);
  if (mix === undefined) {
    return null;
  }
  // Checks that a reload cut off say nothing of it, so that they can be asked for again while they seem to run.
  const isFirst = mix.status === 'unchecked';
  return (
    <div class="mix" role="group" aria-label="Proposal" data-mix={mix.status}>
      <p class="icon-line">
        <MixIcon status={mix.status} />
        <span>
          <Sentence text={[mix.text, mix.sentence].filter((part) => part !== '').join(' ')} />
        </span>
      </p>
      {mix.tests === '' ? null : <p class="small icon-indent">{mix.tests}</p>}
      {mix.marks.length === 0 ? null : (
        <CheckList marks={mix.marks} name="Checks of the proposal" />
      )}
      {isReplay || mix.status === 'no-checks' ? null : (
        <div class="icon-indent">
          <Button
            text={isFirst ? 'Check Mix' : 'Check Again'}
            onClick={() => post({ type: 'check-mix', runId: state.runId })}
          />
        </div>
      )}
    </div>
  );
}

function MixIcon({ status }: Pick<Mix, 'status'>): JSX.Element {
  switch (status) {
    case 'passes':
      return <Icon name="pass" tone="ok" />;
    case 'worse':
    case 'fails':
      return <Icon name="error" tone="bad" />;
    case 'running':
      return <Icon name="ring" tone="live" isSpinning />;
    case 'unchecked':
      return <Icon name="warning" tone="ask" />;
    case 'no-checks':
      return <Icon name="info" tone="dim" />;
  }
}
