// One row of the changed files: a file, or a part of one.
import type { JSX } from 'preact';
import type { ChangedFile } from '../../src/run/selectors/changed-files';
import type { ChangedPart, Origin } from '../../src/run/selectors/changed-parts';
import { usePanel } from '../panel-context';
import { ToolButton } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { Menu } from '../parts/menu';
import type { MenuItem } from '../parts/menu';
import { LabelText, Mark } from '../parts/text';
import { acceptOf, isUndecided, onRowKey } from './changed-row-keys';
import type { Deed, TreeRow } from './changed-row-keys';

/** What all rows of a review have in common. */
export interface ReviewTools {
  readonly runId: string;
  readonly hasAlternatives: boolean;
  readonly hasReasons: boolean;
  /** A file of the review has parts, so that all names leave room for the arrow. */
  readonly hasParts: boolean;
  readonly onToggle: (file: ChangedFile) => void;
}

interface RowProps {
  readonly row: TreeRow;
  readonly tools: ReviewTools;
}

export function ChangedRow({ row, tools }: RowProps): JSX.Element {
  const { post, isReplay } = usePanel();
  const { file, part, isOpen, place } = row;
  const { root, path } = file;
  const { decision } = part ?? file;
  const hunk = part === undefined ? {} : { hunk: part.id };
  const send = (type: Deed): void => post({ type, runId: tools.runId, root, path, ...hunk });
  return (
    <li
      role="treeitem"
      class={part === undefined ? 'tree-row' : 'tree-row tree-part'}
      data-item={row.key}
      data-path={path}
      data-part={part?.id}
      data-decision={decision}
      aria-selected="false"
      aria-level={part === undefined ? 1 : 2}
      aria-posinset={place[0]}
      aria-setsize={place[1]}
      {...(isOpen === undefined ? {} : { 'aria-expanded': isOpen })}
      title={tooltipOf(row)}
      onKeyDown={(event) => onRowKey(event, row, { send, onToggle: tools.onToggle, isReplay })}
      onClick={() => send('open-diff')}
    >
      <span class="hidden-text">{nameOf(row)}</span>
      <span class="tree-line">
        {part === undefined ? <FileFacts row={row} tools={tools} /> : <PartFacts part={part} />}
        {isReplay ? null : <Decision row={row} send={send} />}
        {isReplay ? null : <More row={row} tools={tools} send={send} />}
      </span>
      <Detail row={row} />
    </li>
  );
}

/** What happened at a conflict. Where the parts are in sight, it stands at the part. */
function Detail({ row: { file, part, isOpen } }: { readonly row: TreeRow }): JSX.Element | null {
  const { detail } = part ?? file;
  const isAtPart = isOpen === true && file.parts.some((one) => one.detail === detail);
  return detail === '' || isAtPart ? null : (
    <span class="tree-detail" aria-hidden="true">
      {detail}
    </span>
  );
}

function nameOf({ file, part }: TreeRow): string {
  const { accessibleName, note } = part ?? file;
  return part !== undefined || note === '' ? accessibleName : `${accessibleName}, ${note}`;
}

function tooltipOf({ file, part }: TreeRow): string {
  const { folder, name, tags, facts, note } = file;
  if (part !== undefined) {
    return [`${part.place} of ${name}`, part.note, part.summary]
      .filter((text) => text !== '')
      .join('\n');
  }
  const notes = [...tags, ...facts, ...(note === '' ? [] : [note])];
  const path = folder === '' ? name : `${folder}/${name}`;
  return notes.length === 0 ? path : `${path} (${notes.join(', ')})`;
}

function FileFacts({ row, tools }: RowProps): JSX.Element {
  const { file, isOpen } = row;
  return (
    <>
      {tools.hasParts ? (
        <span
          class="tree-twist"
          aria-hidden="true"
          onClick={(event) => {
            if (isOpen !== undefined) {
              event.stopPropagation();
              tools.onToggle(file);
            }
          }}
        >
          {isOpen === undefined ? null : <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />}
        </span>
      ) : null}
      <Icon name={file.waitsApart ? 'shield' : 'file'} />
      <span class="tree-name clipped" aria-hidden="true">
        {file.name}
      </span>
      <span class="tree-folder clipped" aria-hidden="true">
        {file.folder}
      </span>
      <span class="tree-tags clipped" aria-hidden="true">
        {file.tags.join(' · ')}
      </span>
      {file.origin === null ? null : <OriginChip origin={file.origin} />}
      {isOpen === true ? null : (
        <span class="tree-note clipped" aria-hidden="true">
          {file.note}
        </span>
      )}
      <Counts added={file.added} removed={file.removed} />
    </>
  );
}

function PartFacts({ part }: { readonly part: ChangedPart }): JSX.Element {
  return (
    <>
      <span class="tree-place clipped" aria-hidden="true">
        {part.place}
      </span>
      {part.origin === null ? null : <OriginChip origin={part.origin} />}
      <span class="tree-note clipped" aria-hidden="true">
        {part.note}
      </span>
      <span class="tree-folder mono clipped" aria-hidden="true">
        {part.note === '' ? part.summary : ''}
      </span>
      <Counts added={part.added} removed={part.removed} />
    </>
  );
}

/** Which answer it was taken from. */
function OriginChip({ origin }: { readonly origin: Origin }): JSX.Element {
  return (
    <span class="tree-origin" aria-hidden="true" title={`From ${origin.label}`}>
      <Mark slot={origin.slot} />
      <LabelText label={origin.label} />
    </span>
  );
}

function Counts({
  added,
  removed,
}: {
  readonly added: string;
  readonly removed: string;
}): JSX.Element {
  return (
    <span class="counts tree-counts" aria-hidden="true">
      {added === '' ? null : (
        <>
          <span class="add">{added}</span>
          <span class="del">{removed}</span>
        </>
      )}
    </span>
  );
}

interface DecisionProps {
  readonly row: TreeRow;
  readonly send: (type: Deed) => void;
}

/** Reject, then Accept, or the way to settle a conflict; once decided, the word and Undo. A file of the agent's own folder is only saved. */
function Decision({ row, send }: DecisionProps): JSX.Element {
  const { file, part } = row;
  const { decision, decisionText } = part ?? file;
  const what = part?.spoken ?? file.name;
  const isConflict = decision === 'conflict';
  return (
    <>
      {decisionText === '' ? null : (
        <span class="tree-decision" aria-hidden="true">
          <Icon {...decisionIcons[decision]} />
          <span>{decisionText}</span>
        </span>
      )}
      {file.isDeliverable ? (
        <ToolButton
          icon="save-as"
          name={`Save ${file.name} To…`}
          isSkipped
          onClick={() => send('accept-file')}
        />
      ) : isUndecided(row) ? (
        <>
          <ToolButton
            icon="close"
            name={`Reject ${what}`}
            isSkipped
            onClick={() => send('reject-file')}
          />
          <ToolButton
            icon={isConflict ? 'git-merge' : 'check'}
            name={isConflict ? `Open Conflict of ${what}` : `Accept ${what}`}
            isSkipped
            onClick={() => send(acceptOf(row))}
          />
        </>
      ) : (
        <ToolButton
          icon="discard"
          name={`Undo ${what}`}
          isSkipped
          onClick={() => send('undo-file')}
        />
      )}
    </>
  );
}

const decisionIcons = {
  pending: { name: 'check', tone: 'dim' },
  accepted: { name: 'check', tone: 'ok' },
  rejected: { name: 'close', tone: 'dim' },
  conflict: { name: 'warning', tone: 'ask' },
} as const;

/** What other answers have in this place, and which votes speak of it. */
function More({ row, tools, send }: RowProps & DecisionProps): JSX.Element | null {
  const { file, part } = row;
  const items: readonly MenuItem[] = [
    ...(tools.hasAlternatives && !file.isDeliverable
      ? [{ text: 'From Another Agent…', onSelect: () => send('open-alternatives') }]
      : []),
    ...(tools.hasReasons ? [{ text: 'Why…', onSelect: () => send('open-why') }] : []),
  ];
  return items.length === 0 ? null : (
    <span class="tree-more" onClick={(event) => event.stopPropagation()}>
      <Menu
        name={`More for ${part?.spoken ?? file.name}`}
        buttonClass="tool"
        isSkipped
        items={items}
      >
        <Icon name="ellipsis" />
      </Menu>
    </span>
  );
}
