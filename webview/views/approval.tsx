// The one decision a run asks for: may this command run, or this tool be used?
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { approvalPlace } from '../../src/run/selectors/approval-place';
import { askedFor, reachOf, wishOf } from '../../src/run/selectors/approval-words';
import { asSentence, formatElapsed } from '../../src/run/selectors/formats';
import { agentName } from '../../src/run/selectors/names';
import { revealHidden } from '../../src/run/selectors/visible-text';
import type { ApprovalState, RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { Menu } from '../parts/menu';
import type { FromView } from '../../src/protocol/webview';

type Decision = Extract<FromView, { readonly type: 'resolve-approval' }>['decision'];

/**
 * The command that waits longest, one at a time. Where the reader works further down, it first shows as a bar in the
 * head, so that it pushes nothing away; it takes its place when the focus leaves.
 */
export function ApprovalCard({ state }: { readonly state: RunState }): JSX.Element | null {
  const place = useRef<HTMLDivElement>(null);
  const [first, ...others] = state.approvals;
  const [isBar, setBar] = useBarWhileFocusIsBelow(place, first !== undefined);
  return (
    <div class="approval-place" ref={place}>
      {first === undefined ? null : isBar ? (
        <div class="approval-bar">
          <Icon name="warning" tone="ask" />
          <span class="grow">
            {agentName(first.slot)} {wishOf(first)}
          </span>
          <Button text="Show" onClick={() => setBar(false)} />
        </div>
      ) : (
        <Card key={first.approvalId} approval={first} others={others} state={state} />
      )}
    </div>
  );
}

function useBarWhileFocusIsBelow(
  place: { readonly current: HTMLElement | null },
  isAsked: boolean,
): readonly [boolean, (isBar: boolean) => void] {
  const [isBar, setBar] = useState(false);
  const wasAsked = useRef(false);
  const isNew = isAsked && !wasAsked.current;
  const isBelow = isNew && isFocusBelow(place.current);
  wasAsked.current = isAsked;
  useEffect(() => {
    if (!isBar) {
      return undefined;
    }
    const onFocusOut = (): void => {
      queueMicrotask(() => setBar(isFocusBelow(place.current)));
    };
    document.addEventListener('focusout', onFocusOut);
    return () => document.removeEventListener('focusout', onFocusOut);
  }, [isBar, place]);
  useEffect(() => {
    if (isBelow) {
      setBar(true);
    }
  }, [isBelow]);
  return [isBar || isBelow, setBar];
}

function isFocusBelow(place: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return (
    place !== null &&
    focused !== null &&
    focused !== document.body &&
    (place.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  );
}

interface CardProps {
  readonly approval: ApprovalState;
  readonly others: readonly ApprovalState[];
  readonly state: RunState;
}

function Card({ approval, others, state }: CardProps): JSX.Element {
  const { post, now, isReplay } = usePanel();
  const headingId = useId();
  const { approvalId, hash } = approval;
  const decide = (decision: Decision): void =>
    post({ type: 'resolve-approval', runId: state.runId, approvalId, hash, decision });
  const [next] = others;
  return (
    <section class="approval" aria-labelledby={headingId} data-approval={approvalId}>
      <header class="icon-line">
        <Icon name="warning" tone="ask" />
        <h2 id={headingId} class="grow">
          {agentName(approval.slot)} {wishOf(approval)}
        </h2>
        <span class="small">{formatElapsed(now.value - approval.requestedAt)}</span>
      </header>
      <pre
        class="code-box approval-command"
        tabIndex={0}
        aria-label={approval.isTool === true ? 'Tool and its input' : 'Command'}
      >
        {revealHidden(approval.command)}
      </pre>
      <Place approval={approval} state={state} />
      {isReplay ? null : (
        <div class="button-row">
          <Button text="Deny" isPrimary onClick={() => decide('deny')} />
          <AllowButton decide={decide} isForRun={approval.isProgram === true} />
        </div>
      )}
      {next === undefined ? null : (
        <p class="approval-queue">
          <span class="badge">{others.length}</span>
          <span class="clipped">
            {others.length === 1 ? 'more waits: ' : 'more wait: '}
            {agentName(next.slot)}, <span class="mono">{askedFor(next)}</span>
          </span>
        </p>
      )}
    </section>
  );
}

function Place({ approval, state }: Omit<CardProps, 'others'>): JSX.Element {
  if (approval.isRequest === true) {
    return (
      <p class="icon-line">
        <Icon name="globe" />
        <span>{reachOf(approval)}</span>
      </p>
    );
  }
  return (
    <>
      <p class="icon-line">
        <Icon name="folder" />
        <span>
          In {agentName(approval.slot)}’s copy of{' '}
          <strong class="breakable" title={revealHidden(approval.cwd)}>
            {approvalPlace(approval.cwd, state.contextRoots)}
          </strong>
        </span>
      </p>
      <p class="icon-line">
        {approval.isConfined ? (
          <>
            <Icon name="shield" tone="ok" />
            <span>{reachOf(approval)}</span>
          </>
        ) : (
          <>
            <Icon name="shield-crossed" tone="ask" />
            <span>
              {reachOf(approval)}
              {state.unconfinedReason === null ? '' : ` ${asSentence(state.unconfinedReason)}`}
            </span>
          </>
        )}
      </p>
    </>
  );
}

interface AllowProps {
  readonly decide: (decision: Decision) => void;
  /** What is asked lasts as long as the run, so that it cannot be allowed once. */
  readonly isForRun: boolean;
}

/** Allow Once, and behind the arrow how far the permission for exactly this command may go. */
function AllowButton({ decide, isForRun }: AllowProps): JSX.Element {
  const forRun = { text: 'Allow This Run', onSelect: () => decide('allow-run') };
  return (
    <span class="split-button">
      <button
        type="button"
        class="button"
        onClick={(event) => {
          // The second click of a double click may hit the card of the next command, which nobody has read.
          if (event.detail <= 1) {
            decide(isForRun ? 'allow-run' : 'allow-once');
          }
        }}
      >
        {isForRun ? 'Allow This Run' : 'Allow Once'}
      </button>
      <Menu
        name="Allow for longer"
        buttonClass="button split-button-more"
        items={[
          ...(isForRun ? [] : [forRun]),
          { text: 'Allow This Workspace', onSelect: () => decide('allow-workspace') },
        ]}
      >
        <Icon name="chevron-down" />
      </Menu>
    </span>
  );
}
