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

interface FileRowProps {
  readonly file: ChangedFile;
  readonly runId: string;
}

function FileRow({ file, runId }: FileRowProps): JSX.Element {
  const { post } = usePanel();
  const { root, path } = file;
  const send = (type: 'open-diff' | 'accept-file' | 'reject-file' | 'undo-file'): void =>
    post({ type, runId, root, path });
  const isOpen = file.decision === 'pending' || file.decision === 'conflict';
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLLIElement>): void => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'Enter') {
      send('open-diff');
    } else if (key === 'a' && isOpen) {
      send('accept-file');
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
      title={`${file.folder === '' ? '' : `${file.folder}/`}${file.name}`}
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
          {[...(file.folder === '' ? [] : [file.folder]), ...file.tags].join(' · ')}
        </span>
        <span class="counts" aria-hidden="true">
          <span class="add">{file.added}</span>
          <span class="del">{file.removed}</span>
        </span>
        <FileDecision file={file} isOpen={isOpen} send={send} />
      </span>
      {file.detail === '' ? null : (
        <span class="tree-detail" aria-hidden="true">
          {file.detail}
        </span>
      )}
    </li>
  );
}

interface FileDecisionProps {
  readonly file: ChangedFile;
  readonly isOpen: boolean;
  readonly send: (type: 'accept-file' | 'reject-file' | 'undo-file') => void;
}

/** Reject, then Accept; once decided, the word and Undo. A file of the agent's own folder is only saved. */
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
            icon="check"
            name={`Accept ${file.name}`}
            isSkipped
            onClick={() => send('accept-file')}
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
