import type { JSX } from 'preact';
import { selectCards } from '../../src/run/selectors/cards';
import type { AgentCard, CardIcon, NowLine } from '../../src/run/selectors/cards';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';
import { LiveText } from '../parts/live-text';
import { Menu } from '../parts/menu';
import type { MenuItem } from '../parts/menu';
import { useRoving } from '../parts/roving';
import { Mark } from '../parts/text';

/** A card per agent, each of one height for the whole run. */
export function AgentCards({ state }: { readonly state: RunState }): JSX.Element {
  const { now, language } = usePanel();
  const root = useRoving();
  return (
    <div class="agent-cards" ref={root}>
      {selectCards(state, now.value, language).map((card) => (
        <Card key={card.slot} card={card} runId={state.runId} />
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
}

function Card({ card, runId }: CardProps): JSX.Element {
  const { post } = usePanel();
  const { slot, now } = card;
  const [icon, tone] = statusIcons[card.icon];
  const openText = (): void => post({ type: 'open-agent-text', runId, slot });
  const { opens } = now;
  const openAnswer: readonly MenuItem[] =
    opens === null
      ? []
      : [
          {
            text: `Open ${opens}`,
            onSelect: () => post({ type: 'open-answer', runId, label: opens }),
          },
        ];
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
        <span class="agent-card-model clipped" title={card.model}>
          {card.model}
        </span>
        <span class="agent-card-status">
          <Icon name={icon} tone={tone} isSpinning={card.icon === 'working'} />
          {card.status}
        </span>
        <Menu
          name={`Actions for ${card.name}`}
          buttonClass="tool"
          item={`menu-${slot}`}
          items={[{ text: 'Open Full Text', onSelect: openText }, ...openAnswer]}
        >
          <Icon name="ellipsis" />
        </Menu>
      </header>
      <LiveText text={card.text} />
      <Doing now={now} slot={slot} runId={runId} />
      <p class="agent-card-meta">
        <span>{card.tokens}</span>
        <span>{card.cost}</span>
        <span class="agent-card-elapsed">{card.elapsed}</span>
      </p>
    </article>
  );
}

const nowIcons: Readonly<Record<NowLine['icon'], IconName | null>> = {
  terminal: 'terminal',
  edit: 'edit',
  read: 'eye',
  answer: 'answer',
  vote: 'vote',
  wait: 'clock',
  error: 'error',
  none: null,
};

interface DoingProps {
  readonly now: NowLine;
  readonly slot: number;
  readonly runId: string;
}

function Doing({ now, slot, runId }: DoingProps): JSX.Element {
  const { post } = usePanel();
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
