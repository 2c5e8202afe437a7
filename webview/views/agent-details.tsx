// What an agent is and has beside its text, shown on demand below its card.
import type { JSX } from 'preact';
import type { AgentDetails, ServerLine } from '../../src/run/selectors/agent-details';
import type { AgentCard } from '../../src/run/selectors/cards';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';

interface DetailsButtonProps {
  readonly card: AgentCard;
  readonly details: AgentDetails;
  readonly isOpen: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
}

export function DetailsButton(props: DetailsButtonProps): JSX.Element {
  const { card, details, isOpen, controls, onToggle } = props;
  return (
    <button
      type="button"
      class="link link-plain agent-card-more"
      data-item={`details-${card.slot}`}
      aria-expanded={isOpen}
      aria-controls={controls}
      aria-label={`${details.summary}, details of ${card.name}`}
      title={details.summary}
      onClick={onToggle}
    >
      {details.isTrouble ? <Icon name="warning" tone="ask" /> : null}
      <span class="clipped">{details.summary}</span>
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
    </button>
  );
}

interface AgentDetailsViewProps {
  readonly id: string;
  readonly name: string;
  readonly details: AgentDetails;
}

export function AgentDetailsView({ id, name, details }: AgentDetailsViewProps): JSX.Element {
  const { program, servers, thinking } = details;
  return (
    <div id={id} class="agent-details small" role="group" aria-label={`Details of ${name}`}>
      {program === '' ? null : <p>{program}</p>}
      {servers.length === 0 ? null : (
        <ul class="tool-servers" aria-label={`Tool servers of ${name}`}>
          {servers.map((line) => (
            <Server key={line.server} line={line} />
          ))}
        </ul>
      )}
      {thinking === '' ? null : (
        <>
          <h3 class="agent-details-head">Thinking</h3>
          <div class="agent-thinking" tabIndex={0} role="group" aria-label={`Thinking of ${name}`}>
            <p dir="auto">{thinking}</p>
          </div>
        </>
      )}
    </div>
  );
}

const serverIcons: Readonly<Record<ServerLine['icon'], readonly [IconName, IconTone]>> = {
  working: ['ring', 'live'],
  ready: ['plug', 'ok'],
  failed: ['error', 'bad'],
  stopped: ['debug-stop', 'dim'],
};

function Server({ line }: { readonly line: ServerLine }): JSX.Element {
  const [icon, tone] = serverIcons[line.icon];
  return (
    <li class="tool-server">
      <Icon name={icon} tone={tone} isSpinning={line.icon === 'working'} />
      <span class="tool-server-text">
        <b>{line.server}</b> <span class="dim">{line.text}</span>
        {line.tools === '' ? null : <span class="mono tool-server-tools">{line.tools}</span>}
      </span>
    </li>
  );
}
