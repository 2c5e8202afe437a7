// Before a run: which commands are run in every candidate before the vote.
import type { JSX } from 'preact';
import type { CheckChoice } from '../../src/protocol/webview';
import { revealOnOneLine } from '../../src/run/selectors/visible-text';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';

interface ChecksCardProps {
  readonly checks: readonly CheckChoice[];
}

export function ChecksCard({ checks }: ChecksCardProps): JSX.Element {
  const ofTeam = checks.filter(({ source }) => source === 'team');
  const found = checks.filter(({ source }) => source !== 'team');
  const hasAny = checks.some(({ isOn }) => isOn);
  return (
    <section class="card" aria-label="Checks">
      <p class="icon-line">
        <Icon name={hasAny ? 'checklist' : 'info'} tone="dim" />
        <span>
          {hasAny
            ? 'Checks run in every candidate before the vote.'
            : 'No checks. The vote then rests on reading alone.'}
        </span>
      </p>
      {ofTeam.length === 0 ? null : (
        <ul class="check-choices">
          {ofTeam.map((check) => (
            <li key={check.name} class="check-choice">
              <Icon name="check" tone="dim" />
              <Words check={check} />
            </li>
          ))}
        </ul>
      )}
      {found.length === 0 ? null : (
        <>
          <p class="small icon-indent">Found in the project; tick what is to be run:</p>
          <ul class="check-choices">
            {found.map((check) => (
              <Found key={check.name} check={check} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Found({ check }: { readonly check: CheckChoice }): JSX.Element {
  const { post } = usePanel();
  const { name, isOn } = check;
  return (
    <li>
      <label class="check-choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) =>
            post({ type: 'choose-check', name, isOn: event.currentTarget.checked })
          }
        />
        <Words check={check} />
      </label>
    </li>
  );
}

/** The command in full: it is what will run. */
function Words({ check }: { readonly check: CheckChoice }): JSX.Element {
  const { name, command, mode, source } = check;
  const notes = [
    ...(source === 'team' ? [] : [source]),
    mode === 'gate' ? 'an answer that newly fails it is out' : 'voters see the result',
  ];
  return (
    <span class="check-words">
      <span>{revealOnOneLine(name)}</span> <code>{revealOnOneLine(command)}</code>{' '}
      <span class="small">{notes.join(', ')}</span>
    </span>
  );
}
