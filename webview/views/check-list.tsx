// What checks came to, as marks in columns: a drawing, the name, and how long it took or what is wrong.
import type { JSX } from 'preact';
import type { Label } from '../../src/base/ids';
import type { CheckCount, CheckMark, CheckTone } from '../../src/run/selectors/check-marks';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';

const icons: Readonly<Record<CheckTone, readonly [name: IconName, tone: IconTone]>> = {
  passed: ['pass', 'ok'],
  failed: ['error', 'bad'],
  known: ['warning', 'dim'],
  none: ['circle-slash', 'dim'],
  running: ['ring', 'live'],
  waiting: ['clock', 'dim'],
};

function CheckIcon({ tone }: { readonly tone: CheckTone }): JSX.Element {
  const [name, color] = icons[tone];
  return <Icon name={name} tone={color} isSpinning={tone === 'running'} />;
}

interface CheckListProps {
  readonly marks: readonly CheckMark[];
  /** Names the list for a screen reader: `Checks of agent1.1`. */
  readonly name: string;
  /** The answer whose outputs open; `null`: the untouched folders. Absent: nothing opens. */
  readonly opens?: { readonly runId: string; readonly label: Label | null };
}

/** One mark per check, the same number from the beginning of the run, so that nothing moves when results come. */
export function CheckList({ marks, name, opens }: CheckListProps): JSX.Element {
  const { post, isFile } = usePanel();
  return (
    <ul class="checks" aria-label={name}>
      {marks.map((mark) => (
        <li key={mark.name} data-check={mark.name} data-tone={mark.tone}>
          {opens === undefined || isFile || !mark.hasOutput ? (
            <span class="check" title={mark.sentence}>
              <Mark mark={mark} />
            </span>
          ) : (
            <button
              type="button"
              class="check"
              title={`${mark.sentence}. Open Output`}
              data-item={`check ${opens.label ?? 'folder'} ${mark.name}`}
              onClick={() => post({ type: 'open-check-output', ...opens, name: mark.name })}
            >
              <Mark mark={mark} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Mark({ mark }: { readonly mark: CheckMark }): JSX.Element {
  return (
    <>
      <CheckIcon tone={mark.tone} />
      <span class="hidden-text">{mark.sentence}</span>
      <span class="check-name clipped" aria-hidden="true">
        {mark.name}
      </span>
      <span class="check-figure clipped" aria-hidden="true">
        {mark.figure}
      </span>
    </>
  );
}

/** The cell of a table: `2/2` with its drawing, and the whole as its name. */
export function CheckCell({ count }: { readonly count: CheckCount }): JSX.Element {
  return (
    <span class="check-cell" title={count.sentence}>
      <CheckIcon tone={count.tone} />
      <span aria-hidden="true">{count.text}</span>
      <span class="hidden-text">{count.sentence}</span>
    </span>
  );
}
