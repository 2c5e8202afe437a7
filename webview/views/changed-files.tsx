import type { JSX, TargetedKeyboardEvent } from 'preact';
import { selectChangedFiles } from '../../src/run/selectors/changed-files';
import type { ChangedFile } from '../../src/run/selectors/changed-files';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { ToolButton } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { useRoving } from '../parts/roving';
import { Section } from '../parts/section';

/** The files of the proposal, each to be accepted or rejected. */
export function ChangedFilesSection({ state }: { readonly state: RunState }): JSX.Element {
  const { post, language } = usePanel();
  const root = useRoving();
  const changed = selectChangedFiles(state, language);
  const { runId } = state;
  return (
    <Section
      id="files"
      title="Changed files"
      note={
        changed.files.length === 0 ? undefined : (
          <>
            {changed.count} <span class="add">{changed.added}</span>{' '}
            <span class="del">{changed.removed}</span>
          </>
        )
      }
      tools={
        changed.files.length === 0 ? null : (
          <ToolButton
            icon="diff-multiple"
            name="Open Review"
            onClick={() => post({ type: 'open-review', runId })}
          />
        )
      }
    >
      {changed.files.length === 0 ? (
        <p class="empty">No file was changed.</p>
      ) : (
        <ul class="tree" role="tree" aria-label="Changed files" ref={root}>
          {changed.files.map((file) => (
            <FileRow key={`${file.root}/${file.path}`} file={file} runId={runId} />
          ))}
        </ul>
      )}
    </Section>
  );
}

type FileMessage = 'open-diff' | 'open-conflict' | 'accept-file' | 'reject-file' | 'undo-file';

interface FileRowProps {
  readonly file: ChangedFile;
  readonly runId: string;
}

function FileRow({ file, runId }: FileRowProps): JSX.Element {
  const { post, isReplay } = usePanel();
  const { root, path } = file;
  const send = (type: FileMessage): void => post({ type, runId, root, path });
  const isOpen = file.decision === 'pending' || file.decision === 'conflict';
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLLIElement>): void => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'Enter') {
      send('open-diff');
    } else if (key === 'a' && isOpen) {
      send(acceptOf(file));
    } else if (key === 'r' && isOpen && !file.isDeliverable) {
      send('reject-file');
    } else if (key === 'u' && !isOpen) {
      send('undo-file');
    }
  };
  return (
    <li
      role="treeitem"
      class="tree-row"
      data-item={`${root}/${path}`}
      data-path={path}
      data-decision={file.decision}
      aria-selected="false"
      title={tooltipOf(file)}
      onKeyDown={onKeyDown}
      onClick={() => send('open-diff')}
    >
      <span class="hidden-text">{file.accessibleName}</span>
      <span class="tree-line">
        <Icon name="file" />
        <span class="tree-name clipped" aria-hidden="true">
          {file.name}
        </span>
        <span class="tree-folder clipped" aria-hidden="true">
          {file.folder}
        </span>
        <span class="tree-tags" aria-hidden="true">
          {file.tags.join(' · ')}
        </span>
        {file.added === '' ? null : (
          <span class="counts" aria-hidden="true">
            <span class="add">{file.added}</span>
            <span class="del">{file.removed}</span>
          </span>
        )}
        {isReplay ? null : <FileDecision file={file} isOpen={isOpen} send={send} />}
      </span>
      {file.detail === '' ? null : (
        <span class="tree-detail" aria-hidden="true">
          {file.detail}
        </span>
      )}
    </li>
  );
}

/** A conflict is settled in its own view; accepting it again would find the same conflict. */
function acceptOf({ decision }: ChangedFile): FileMessage {
  return decision === 'conflict' ? 'open-conflict' : 'accept-file';
}

function tooltipOf({ folder, name, tags }: ChangedFile): string {
  const path = folder === '' ? name : `${folder}/${name}`;
  return tags.length === 0 ? path : `${path} (${tags.join(', ')})`;
}

interface FileDecisionProps {
  readonly file: ChangedFile;
  readonly isOpen: boolean;
  readonly send: (type: FileMessage) => void;
}

/** Reject, then Accept, or the way to settle a conflict; once decided, the word and Undo. A file of the agent's own folder is only saved. */
function FileDecision({ file, isOpen, send }: FileDecisionProps): JSX.Element {
  const word =
    file.decisionText === '' ? null : (
      <span class="tree-decision" aria-hidden="true">
        <Icon {...decisionIcons[file.decision]} />
        <span>{file.decisionText}</span>
      </span>
    );
  return (
    <>
      {word}
      {file.isDeliverable ? (
        <ToolButton
          icon="save-as"
          name={`Save ${file.name} To…`}
          isSkipped
          onClick={() => send('accept-file')}
        />
      ) : isOpen ? (
        <>
          <ToolButton
            icon="close"
            name={`Reject ${file.name}`}
            isSkipped
            onClick={() => send('reject-file')}
          />
          <ToolButton
            icon={file.decision === 'conflict' ? 'git-merge' : 'check'}
            name={
              file.decision === 'conflict' ? `Open Conflict of ${file.name}` : `Accept ${file.name}`
            }
            isSkipped
            onClick={() => send(acceptOf(file))}
          />
        </>
      ) : (
        <ToolButton
          icon="discard"
          name={`Undo ${file.name}`}
          isSkipped
          onClick={() => send('undo-file')}
        />
      )}
    </>
  );
}

const decisionIcons = {
  pending: { name: 'file' },
  accepted: { name: 'check', tone: 'ok' },
  rejected: { name: 'close', tone: 'dim' },
  conflict: { name: 'warning', tone: 'ask' },
} as const;
