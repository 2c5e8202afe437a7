import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { selectChangedFiles } from '../../src/run/selectors/changed-files';
import type { ChangedFile, ChangedFiles } from '../../src/run/selectors/changed-files';
import { formatCount } from '../../src/run/selectors/formats';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { ToolButton } from '../parts/buttons';
import { useRoving } from '../parts/roving';
import { Section } from '../parts/section';
import { ChangedRow } from './changed-row';
import type { TreeRow } from './changed-row-keys';
import { MixLine } from './mix-line';

/** The files of the proposal with their parts, each to be accepted or rejected. */
export function ChangedFilesSection({ state }: { readonly state: RunState }): JSX.Element {
  const { post, language, isReplay } = usePanel();
  const changed = useMemo(
    () => selectChangedFiles(state, language),
    [state.review, state.agents, state.contextRoots, language],
  );
  const { runId, review } = state;
  const isEmpty = changed.files.length === 0;
  return (
    <Section
      id="files"
      title="Changed files"
      note={isEmpty ? undefined : <Note changed={changed} />}
      tools={
        isEmpty || isReplay ? null : (
          <>
            {review === null ? null : (
              <ToolButton
                icon="terminal"
                name="Try It…"
                onClick={() => post({ type: 'try-answer', runId, label: review.label })}
              />
            )}
            <ToolButton
              icon="diff-multiple"
              name="Open Review"
              onClick={() => post({ type: 'open-review', runId })}
            />
          </>
        )
      }
    >
      {isEmpty ? (
        <p class="empty">No file was changed.</p>
      ) : (
        <>
          <Tree changed={changed} runId={runId} />
          <MixLine state={state} />
        </>
      )}
    </Section>
  );
}

function Note({ changed }: { readonly changed: ChangedFiles }): JSX.Element {
  return (
    <>
      {changed.count} <span class="add">{changed.added}</span>{' '}
      <span class="del">{changed.removed}</span>
      {changed.partsText === '' ? '' : ` · ${changed.partsText}`}
    </>
  );
}

/** More rows than this are drawn only when they are asked for. */
const rowsAtOnce = 200;

/** Reviews with more rows than this begin with their files closed. */
const rowsInSight = 40;

interface TreeProps {
  readonly changed: ChangedFiles;
  readonly runId: string;
}

function Tree({ changed, runId }: TreeProps): JSX.Element {
  const { language } = usePanel();
  const root = useRoving();
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({});
  const [limit, setLimit] = useState(rowsAtOnce);
  const { files, hasAlternatives, hasReasons } = changed;
  const hasParts = files.some(({ parts }) => parts.length > 0);
  const all = files.reduce((sum, { parts }) => sum + 1 + parts.length, 0);
  const isOpen = (file: ChangedFile): boolean =>
    toggled[keyOf(file)] ?? (all <= rowsInSight || file.decision === 'conflict');
  const rows = toRows(files, isOpen);
  const onToggle = (file: ChangedFile): void =>
    setToggled({ ...toggled, [keyOf(file)]: !isOpen(file) });
  const tools = { runId, hasAlternatives, hasReasons, hasParts, onToggle };
  return (
    <div ref={root}>
      <ul class="tree" role="tree" aria-label="Changed files">
        {rows.slice(0, limit).map((row) => (
          <ChangedRow key={row.key} row={row} tools={tools} />
        ))}
      </ul>
      {rows.length > limit ? (
        <button
          type="button"
          class="link tree-rest"
          data-item="more rows"
          onClick={() => setLimit(limit + rowsAtOnce)}
        >
          {`Show more, ${formatCount(rows.length - limit, language)} are left`}
        </button>
      ) : null}
    </div>
  );
}

function keyOf({ root, path }: ChangedFile): string {
  return `${root}/${path}`;
}

function toRows(
  files: readonly ChangedFile[],
  isOpen: (file: ChangedFile) => boolean,
): readonly TreeRow[] {
  return files.flatMap((file, i): readonly TreeRow[] => {
    const key = keyOf(file);
    const place = [i + 1, files.length] as const;
    const { parts } = file;
    if (parts.length === 0) {
      return [{ key, file, place }];
    }
    const shown = isOpen(file);
    return [
      { key, file, place, isOpen: shown },
      ...(shown
        ? parts.map((part, n) => ({
            key: `${key} ${part.id}`,
            file,
            part,
            place: [n + 1, parts.length] as const,
          }))
        : []),
    ];
  });
}
