import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HostState } from '../../src/protocol/webview';
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
  const box = useRef<HTMLTextAreaElement>(null);
  const blocker = host.blocker?.kind === 'no-model' ? null : host.blocker;
  useEffect(() => setSent(false), [blocker]);
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
    <section class="continue" aria-label="Continue">
      {blocker === null ? null : <BlockerView blocker={blocker} isQuiet />}
      <div class="task-box">
        <textarea
          ref={box}
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

function nextTurn({ session }: RunState): number {
  return (session?.turn ?? 1) + 1;
}
