import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Blocker, HostState } from '../../src/protocol/webview';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { BlockerView } from './blocker';

interface ContinueProps {
  readonly state: RunState;
  readonly host: HostState;
}

/** A further task on top of a finished run: the next turn of its session, for the team that is chosen now. */
export function ContinueBox({ state, host }: ContinueProps): JSX.Element | null {
  const { post, isReplay } = usePanel();
  const [task, setTask] = useState('');
  const [isSent, setSent] = useState(false);
  const root = useRef<HTMLElement>(null);
  const blocker = inTheWay(host);
  // Whatever came of the last wish, the host has said something since.
  useEffect(() => setSent(false), [host]);
  useLayoutEffect(() => keepEndInSight(root.current), [task]);
  if (isReplay) {
    return null;
  }
  const team = host.teams.find(({ id }) => id === host.teamId);
  const isReady = task.trim() !== '' && team !== undefined && !isSent;
  const send = (): void => {
    if (isReady) {
      setSent(true);
      post({ type: 'follow-up', runId: state.runId, task });
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <section class="continue" aria-label="Continue" ref={root}>
      {blocker === null ? null : <BlockerView blocker={blocker} isQuiet />}
      <div class="task-box">
        <textarea
          aria-label="Follow-up"
          placeholder="Ask a follow-up. The team keeps this conversation."
          dir="auto"
          rows={1}
          value={task}
          onInput={(event) => setTask(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="continue-foot">
          <span class="small clipped">
            {team === undefined ? 'No team is chosen.' : `Turn ${nextTurn(state)}, ${team.name}`}
          </span>
          <Button text="Continue" isDisabled={!isReady} onClick={send} />
        </div>
      </div>
    </section>
  );
}

/** The box grows upwards under the hands of who writes in it, so that its button stays in sight. */
function keepEndInSight(box: HTMLElement | null): void {
  if (box?.contains(document.activeElement) === true) {
    const bar = document.querySelector('.action-bar')?.getBoundingClientRect().height ?? 0;
    const hidden = box.getBoundingClientRect().bottom + bar - window.innerHeight;
    window.scrollBy(0, Math.max(0, hidden));
  }
}

/** The task stays in the box below, so nothing leads back to it. */
function inTheWay({ blocker }: HostState): Blocker | null {
  if (blocker === null || blocker.kind === 'no-model') {
    return null;
  }
  return { ...blocker, actions: blocker.actions.filter(({ action }) => action !== 'new-run') };
}

function nextTurn({ session }: RunState): number {
  return (session?.turn ?? 1) + 1;
}
