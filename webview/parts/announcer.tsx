// What a screen reader is told: phases and results politely, a waiting approval at once.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isOpenToAll, wishOf } from '../../src/run/selectors/approval-words';
import { agentName } from '../../src/run/selectors/names';
import type { RunState } from '../../src/run/state';

/** The polite region is written at most this often, ms. */
const pauseMs = 2000;

interface AnnouncerProps {
  readonly announcements: readonly string[];
  readonly run: RunState | null;
}

export function Announcer({ announcements, run }: AnnouncerProps): JSX.Element {
  const [said, setSaid] = useState<readonly string[]>([]);
  const waiting = useRef<string[]>([]);
  const timer = useRef<number | undefined>(undefined);
  const first = run?.approvals[0];

  useEffect(() => {
    waiting.current.push(...announcements);
    const write = (): void => {
      timer.current = undefined;
      if (waiting.current.length > 0) {
        setSaid(waiting.current);
        waiting.current = [];
        timer.current = window.setTimeout(write, pauseMs);
      }
    };
    if (timer.current === undefined) {
      write();
    }
  }, [announcements]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return (
    <>
      <div class="hidden-text" role="log" aria-live="polite" aria-label="Progress of the run">
        {said.map((sentence) => (
          <p>{sentence}</p>
        ))}
      </div>
      <div class="hidden-text" role="alert">
        {first === undefined
          ? ''
          : `${agentName(first.slot)} ${wishOf(first)}${isOpenToAll(first) ? '; not confined' : ''}.`}
      </div>
    </>
  );
}
