import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentInfo } from '../../src/run/facts';
import { agentName } from '../../src/run/selectors/names';
import { playerName } from '../../src/run/selectors/player-name';
import type { TimelineIcon, TimelineRow } from '../../src/run/selectors/timeline';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import type { IconName, IconTone } from '../parts/icon';
import { useRoving } from '../parts/roving';
import { LabelText, Mark, Sentence } from '../parts/text';
import { CheckList } from './check-list';

/** Rows drawn at first; a long run shows its newest, and the rest on request. */
const shownRows = 300;

/** With more agents than this the rails become one. */
const mostRails = 5;

interface TimelineProps {
  readonly rows: readonly TimelineRow[];
  /** So many of the first rows are of attempts that are over; they are folded at first. */
  readonly earlier: number;
  readonly agents: readonly AgentInfo[];
  readonly runId: string;
}

/** What happened, oldest first; an agent is a rail, and from 700 px on a column of its own. */
export function Timeline({ rows, earlier, agents, runId }: TimelineProps): JSX.Element {
  const [limit, setLimit] = useState(shownRows);
  const [isWhole, setWhole] = useState(false);
  const root = useRoving();
  if (rows.length === 0) {
    return <p class="empty">Events appear here when the run starts.</p>;
  }
  const folded = isWhole ? 0 : Math.max(0, earlier);
  const hidden = Math.max(folded, rows.length - limit);
  return (
    <div
      class={agents.length > mostRails ? 'timeline timeline-one-rail' : 'timeline'}
      style={{ '--agents': agents.length }}
    >
      {folded > 0 ? (
        <button type="button" class="link timeline-earlier" onClick={() => setWhole(true)}>
          {`Show ${folded} events of earlier attempts`}
        </button>
      ) : null}
      {hidden > folded ? (
        <button
          type="button"
          class="link timeline-earlier"
          onClick={() => setLimit(limit + shownRows)}
        >
          {`Show ${Math.min(hidden - folded, shownRows)} earlier events`}
        </button>
      ) : null}
      <LaneHeads agents={agents} />
      <ol ref={root} aria-label="Timeline">
        {rows.slice(hidden).map((row) => (
          <Row key={row.seq} row={row} agents={agents} runId={runId} />
        ))}
      </ol>
    </div>
  );
}

/** Heads of the columns; the rows name their agents themselves for everybody who does not see columns. */
function LaneHeads({ agents }: { readonly agents: readonly AgentInfo[] }): JSX.Element {
  return (
    <div class="lane-heads" aria-hidden="true">
      <span>Time</span>
      {agents.map((info) => (
        <span class="lane-head" key={info.slot}>
          <Mark slot={info.slot} />
          <b>{agentName(info.slot)}</b>
          <span class="clipped" title={playerName(info)}>
            {playerName(info)}
          </span>
        </span>
      ))}
    </div>
  );
}

const icons: Readonly<Record<TimelineIcon, readonly [name: IconName, tone: IconTone | undefined]>> =
  {
    start: ['play', undefined],
    answer: ['answer', undefined],
    vote: ['vote', undefined],
    void: ['close', 'ask'],
    update: ['update', undefined],
    error: ['error', 'bad'],
    warning: ['warning', 'ask'],
    decided: ['law', undefined],
    cap: ['clock', 'ask'],
    message: ['comment', undefined],
    again: ['refresh', undefined],
    look: ['eye', undefined],
    checks: ['checklist', undefined],
    book: ['book', undefined],
    outside: ['globe', 'ask'],
    you: ['account', undefined],
    ended: ['check', undefined],
  };

interface RowProps {
  readonly row: TimelineRow;
  readonly agents: readonly AgentInfo[];
  readonly runId: string;
}

function Row({ row, agents, runId }: RowProps): JSX.Element {
  const { post } = usePanel();
  const [name, tone] = icons[row.icon];
  const { label, slot } = row;
  const open = (): void => {
    if (label !== null) {
      post({ type: 'open-answer', runId, label });
    } else if (slot !== null) {
      post({ type: 'open-agent-text', runId, slot });
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLLIElement>): void => {
    if (event.key === 'Enter') {
      open();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const isWhole = String(event.key === 'ArrowRight');
      const more = event.currentTarget.querySelector<HTMLElement>('.quote > button');
      if (more !== null && more.getAttribute('aria-expanded') !== isWhole) {
        more.click();
      }
    }
  };
  return (
    <li
      class={slot === null ? 'event event-all' : 'event'}
      style={{ '--lane': slot ?? 1 }}
      data-item={row.seq}
      aria-label={row.sentence}
      onKeyDown={onKeyDown}
      onDblClick={open}
    >
      <time title={row.clock}>{row.time}</time>
      <span class="rails" aria-hidden="true">
        {agents.map((agent) => (
          <i key={agent.slot} style={{ '--rail-no': agent.slot }} />
        ))}
      </span>
      <span class="node">
        <Icon name={name} {...(tone === undefined ? {} : { tone })} />
      </span>
      <RowBody row={row} />
    </li>
  );
}

/** Words of somebody, not of a service. */
function isSaid({ icon }: TimelineRow): boolean {
  return icon === 'vote' || icon === 'message';
}

function RowBody({ row }: { readonly row: TimelineRow }): JSX.Element {
  return (
    <div class="event-body">
      <p class="event-line">
        {row.who === null ? null : (
          <>
            <Mark slot={row.who} />
            <span class="event-who">{agentName(row.who)}</span>
          </>
        )}
        {row.title === '' ? null : <b>{row.title}</b>}
        {row.verb === '' ? null : <span class="dim">{row.verb}</span>}
        {row.label === null ? null : <LabelText label={row.label} isStruck={row.isStruck} />}
        {row.note === '' ? null : (
          <span class="dim">
            <Sentence text={row.note} />
          </span>
        )}
      </p>
      {row.checks.length === 0 ? null : <CheckList marks={row.checks} name="Checks" />}
      {row.quote === '' ? null : (
        <Quote isInRow text={isSaid(row) ? `“${row.quote}”` : row.quote} />
      )}
    </div>
  );
}

interface QuoteProps {
  readonly text: string;
  /** In a row that the arrow keys reach the row's own keys open it, so that Tab leaves the list. */
  readonly isInRow?: boolean;
}

/** Words of a model or a service, three lines at first. */
export function Quote({ text, isInRow }: QuoteProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > 140;
  return (
    <div class="quote">
      <p class={isWhole ? 'dim' : 'dim quote-clamped'} dir="auto">
        {text}
      </p>
      {isLong ? (
        <button
          type="button"
          class="link small"
          aria-expanded={isWhole}
          {...(isInRow ? { tabIndex: -1 } : {})}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'less' : 'more'}
        </button>
      ) : null}
    </div>
  );
}
