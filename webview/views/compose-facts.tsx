import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FolderChoice, HostState, TeamChoice } from '../../src/protocol/webview';
import { counted } from '../../src/run/selectors/formats';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import { Mark } from '../parts/text';

interface ComposeFactsProps {
  readonly host: HostState;
  readonly team: TeamChoice | undefined;
}

/** Team, folders and rule of the run that Run would start. */
export function ComposeFacts({ host, team }: ComposeFactsProps): JSX.Element {
  return (
    <dl class="facts">
      <dt>Team</dt>
      <dd>
        <TeamPicker teams={host.teams} team={team} />
        <ul class="rows">
          {team?.members.map(({ slot, model, provider }) => (
            <li class="fact-row" key={slot}>
              <Mark slot={slot} />
              <span class="clipped fact-model" title={model}>
                {model}
              </span>
              <span class="fact-side fact-host" title={provider}>
                <span class="clipped">{provider}</span>
              </span>
            </li>
          ))}
        </ul>
      </dd>
      <dt>Folders</dt>
      <dd>
        {host.folders.length === 0 ? <NoFolder /> : null}
        <ul class="rows">
          {host.folders.map((folder) => (
            <FolderRow key={folder.path} folder={folder} />
          ))}
        </ul>
      </dd>
      {team === undefined || team.decides === '' ? null : (
        <>
          <dt>Decides</dt>
          <dd>
            <div class="fact-row">
              <Icon name="law" />
              <span>{team.decides}</span>
            </div>
          </dd>
        </>
      )}
      <Notes notes={team?.notes ?? []} />
    </dl>
  );
}

const shownNotes = 3;

/** Said once, before anything is paid for. */
function Notes({ notes }: { readonly notes: readonly string[] }): JSX.Element | null {
  const [areAllShown, setAllShown] = useState(false);
  const more = notes.length - shownNotes;
  return notes.length === 0 ? null : (
    <>
      <dt>Notes</dt>
      <dd>
        <ul class="rows">
          {(areAllShown ? notes : notes.slice(0, shownNotes)).map((note) => (
            <li class="fact-note small" key={note}>
              {note}
            </li>
          ))}
          {more <= 0 ? null : (
            <li class="fact-note small">
              <button
                type="button"
                class="link link-plain small"
                aria-expanded={areAllShown}
                onClick={() => setAllShown(!areAllShown)}
              >
                {areAllShown ? 'Fewer notes' : counted(more, 'more note', 'more notes')}
              </button>
            </li>
          )}
        </ul>
      </dd>
    </>
  );
}

function TeamPicker({
  teams,
  team,
}: {
  readonly teams: readonly TeamChoice[];
  readonly team: TeamChoice | undefined;
}): JSX.Element {
  const { post } = usePanel();
  return (
    <div class="fact-row">
      <select
        class="chip"
        aria-label="Team"
        value={team?.id ?? ''}
        onChange={(event) => post({ type: 'select-team', teamId: event.currentTarget.value })}
      >
        {team === undefined ? <option value="">No team</option> : null}
        {teams.map(({ id, name }) => (
          <option key={id} value={id} selected={id === team?.id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function FolderRow({ folder }: { readonly folder: FolderChoice }): JSX.Element {
  const { post } = usePanel();
  return (
    <li class="fact-row">
      <Icon name="folder" />
      <span class="clipped" title={folder.path}>
        {folder.name}
      </span>
      <span class="fact-side">
        <Icon name={folder.permission === 'write' ? 'edit' : 'eye'} />
        <select
          class="chip chip-quiet"
          aria-label={`Access to ${folder.name}`}
          value={folder.permission}
          onChange={(event) =>
            post({
              type: 'set-permission',
              folder: folder.name,
              permission: event.currentTarget.value === 'write' ? 'write' : 'read',
            })
          }
        >
          <option value="write" selected={folder.permission === 'write'}>
            Can edit a copy
          </option>
          <option value="read" selected={folder.permission === 'read'}>
            Read only
          </option>
        </select>
      </span>
    </li>
  );
}

function NoFolder(): JSX.Element {
  const { post } = usePanel();
  return (
    <p class="fact-text">
      No folder is open. The run works with its own empty folder.{' '}
      <button
        type="button"
        class="link"
        onClick={() => post({ type: 'action', action: 'open-folder' })}
      >
        Open Folder
      </button>
    </p>
  );
}
