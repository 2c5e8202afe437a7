import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { selectAttempts } from '../../src/run/selectors/attempts';
import type { AttemptRow } from '../../src/run/selectors/attempts';
import type { RunState } from '../../src/run/state';
import { Markdown } from '../markdown/markdown';
import { Icon } from '../parts/icon';
import { LabelText } from '../parts/text';

/** Attempts that the team gave up, each one line until it is opened. */
export function Attempts({ state }: { readonly state: RunState }): JSX.Element | null {
  const rows = selectAttempts(state);
  return rows.length === 0 ? null : (
    <ul class="attempts" aria-label="Earlier attempts">
      {rows.map((row) => (
        <Attempt key={row.attempt} row={row} />
      ))}
    </ul>
  );
}

function Attempt({ row }: { readonly row: AttemptRow }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="attempt" data-attempt={row.attempt}>
      <button
        type="button"
        class="attempt-line"
        aria-expanded={isOpen}
        title={row.reason}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <b>{row.title}</b>
        {row.label === null ? null : <LabelText label={row.label} />}
        <span class="clipped dim" dir="auto">
          {row.reason}
        </span>
      </button>
      {isOpen ? (
        <div class="attempt-body">
          <p dir="auto">{row.reason}</p>
          {row.instructions === '' ? null : (
            <p class="dim" dir="auto">{`To do better: ${row.instructions}`}</p>
          )}
          {row.answer === '' ? null : <Markdown text={row.answer} />}
        </div>
      ) : null}
    </li>
  );
}
