import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Slot } from '../../src/base/ids';
import { selectCards } from '../../src/run/selectors/cards';
import type { CardAsk } from '../../src/run/selectors/card-asks';
import type { AgentCard, CardIcon, NowLine } from '../../src/run/selectors/cards';
import { unknownCost } from '../../src/run/selectors/formats';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';
import { AgentDetailsView, DetailsButton } from './agent-details';
import { LiveText } from '../parts/live-text';
import { Menu } from '../parts/menu';
import type { MenuItem } from '../parts/menu';
import { useRoving } from '../parts/roving';
import { Mark } from '../parts/text';
import type { Post } from '../vscode-api';

interface AgentCardsProps {
  readonly state: RunState;
  /** Begins a message to one agent. */
  readonly onMessage: (slot: Slot) => void;
}

/** A card per agent, each of one height for the whole run. */
export function AgentCards({ state, onMessage }: AgentCardsProps): JSX.Element {
  const { now, language } = usePanel();
  const root = useRoving();
  return (
    <div class="agent-cards" ref={root}>
      {selectCards(state, now.value, language).map((card) => (
        <Card key={card.slot} card={card} runId={state.runId} onMessage={onMessage} />
      ))}
    </div>
  );
}

const statusIcons: Readonly<Record<CardIcon, readonly [name: IconName, tone: IconTone]>> = {
  working: ['ring', 'live'],
  'needs-you': ['warning', 'ask'],
  waiting: ['clock', 'ask'],
  answered: ['check', 'ok'],
  voted: ['vote', 'ok'],
  failed: ['error', 'bad'],
  stopped: ['debug-stop', 'dim'],
  idle: ['clock', 'dim'],
};

interface CardProps {
  readonly card: AgentCard;
  readonly runId: string;
  readonly onMessage: (slot: Slot) => void;
}

function Card(props: CardProps): JSX.Element {
  const { card, runId } = props;
  const { post, isReplay } = usePanel();
  const { slot } = card;
  const [icon, tone] = statusIcons[card.icon];
  const openText = (): void => post({ type: 'open-agent-text', runId, slot });
  return (
    <article class="agent-card" aria-label={card.name} data-agent={slot} data-status={card.status}>
      <header class="agent-card-head">
        <h2>
          <button
            type="button"
            class="agent-card-name"
            data-item={`head-${slot}`}
            title="Open full text"
            onClick={openText}
          >
            <Mark slot={slot} />
            {card.name}
          </button>
        </h2>
        <span class="agent-card-model" title={card.model}>
          <span class="clipped">{card.model}</span>
        </span>
        <span class="agent-card-status">
          <Icon name={icon} tone={tone} isSpinning={card.icon === 'working'} />
          {card.status}
        </span>
        <Menu
          name={`Actions for ${card.name}`}
          buttonClass="tool"
          item={`menu-${slot}`}
          items={[
            { text: 'Open Full Text', onSelect: openText },
            ...menuItems(props, post, isReplay),
          ]}
        >
          <Icon name="ellipsis" />
        </Menu>
      </header>
      <LiveText text={card.text} />
      <Doing card={card} runId={runId} />
      <Meta card={card} />
    </article>
  );
}

/** What it took, and on demand what else there is to know. */
function Meta({ card }: Pick<CardProps, 'card'>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { details, cost } = card;
  return (
    <>
      <div class="agent-card-meta">
        <span>{card.tokens}</span>
        <span {...(cost === unknownCost ? { title: 'The price is not known.' } : {})}>{cost}</span>
        {details === null ? null : (
          <DetailsButton
            card={card}
            details={details}
            isOpen={isOpen}
            controls={id}
            onToggle={() => setOpen(!isOpen)}
          />
        )}
        <span class="agent-card-elapsed">{card.elapsed}</span>
      </div>
      {details === null || !isOpen ? null : (
        <AgentDetailsView id={id} name={card.name} details={details} />
      )}
    </>
  );
}

/** Everything that can be asked of the agent or read of it, besides its full text. */
function menuItems(
  { card, runId, onMessage }: CardProps,
  post: Post,
  isReplay: boolean,
): readonly MenuItem[] {
  const { slot, name, asks } = card;
  const { opens } = card.now;
  const items: Readonly<Record<CardAsk, readonly MenuItem[]>> = {
    'answer-now': [
      { text: 'Answer Now', onSelect: () => post({ type: 'answer-now', runId, slot }) },
    ],
    message: [{ text: `Message ${name}…`, onSelect: () => onMessage(slot) }],
    revive: [
      { text: `Retry ${name}`, onSelect: () => post({ type: 'revive-agent', runId, slot }) },
    ],
    finish: [],
  };
  return [
    ...(opens === null
      ? []
      : [
          {
            text: `Open ${opens}`,
            onSelect: () => post({ type: 'open-answer', runId, label: opens }),
          },
        ]),
    ...(isReplay ? [] : asks.flatMap((ask) => items[ask])),
  ];
}

const nowIcons: Readonly<Record<NowLine['icon'], IconName | null>> = {
  terminal: 'terminal',
  edit: 'edit',
  read: 'eye',
  web: 'globe',
  tool: 'tools',
  answer: 'answer',
  vote: 'vote',
  wait: 'clock',
  error: 'error',
  none: null,
};

function Doing({ card, runId }: Pick<CardProps, 'card' | 'runId'>): JSX.Element {
  const { post, isReplay } = usePanel();
  const { now, slot, asks } = card;
  const icon = nowIcons[now.icon];
  const { opens } = now;
  return (
    <div class="agent-card-now">
      {icon === null ? null : <Icon name={icon} />}
      {now.code === '' ? null : (
        <span class="mono clipped" title={now.code} dir="auto">
          {now.code}
        </span>
      )}
      <span class="agent-card-now-text clipped" title={now.text}>
        {now.text}
      </span>
      <span class="agent-card-since">{now.since}</span>
      {asks.includes('finish') && !isReplay ? (
        <button
          type="button"
          class="link link-plain"
          data-item={`finish-${slot}`}
          aria-label={`${card.name}: Answer Now`}
          onClick={() => post({ type: 'answer-now', runId, slot })}
        >
          Answer Now
        </button>
      ) : null}
      {opens === null ? null : (
        <button
          type="button"
          class="link link-plain"
          data-item={`open-${slot}`}
          aria-label={`Open ${opens}`}
          onClick={() => post({ type: 'open-answer', runId, label: opens })}
        >
          Open
        </button>
      )}
    </div>
  );
}
