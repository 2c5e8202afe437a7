import type { JSX } from 'preact';
import { counted } from '../../src/run/selectors/formats';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import { useRoving } from '../parts/roving';
import { Section } from '../parts/section';

/** Files with instructions of the project, as far as they were put before the agents. */
export function Instructions({ state }: { readonly state: RunState }): JSX.Element | null {
  const { post, isFile } = usePanel();
  const root = useRoving();
  const { instructions, runId } = state;
  return instructions.length === 0 ? null : (
    <Section
      id="instructions"
      title="Project instructions"
      note={counted(instructions.length, 'file', 'files')}
      isClosedAtFirst
    >
      <ul class="chips" ref={root}>
        {instructions.map(({ root: folder, path, isCut }) => (
          <li key={`${folder}/${path}`}>
            {isFile ? (
              <span class="chip chip-file">
                <FileName path={path} isCut={isCut} />
              </span>
            ) : (
              <button
                type="button"
                class="chip chip-file"
                data-item={`${folder}/${path}`}
                title={`${folder}/${path}${isCut ? ', only its beginning was given' : ''}`}
                onClick={() => post({ type: 'open-instructions', runId, root: folder, path })}
              >
                <FileName path={path} isCut={isCut} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FileName({
  path,
  isCut,
}: {
  readonly path: string;
  readonly isCut: boolean;
}): JSX.Element {
  return (
    <>
      <Icon name="book" />
      <span class="clipped">{path}</span>
      {isCut ? <span class="chip-mark">cut</span> : null}
    </>
  );
}
