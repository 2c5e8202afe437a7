// A stored run that is looked at event by event. Nothing of it can be changed here.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FromView, HostState, ReplayResult } from '../../src/protocol/webview';
import { counted, formatElapsed } from '../../src/run/selectors/formats';
import type { RunState } from '../../src/run/state';
import { PanelContext, usePanel } from '../panel-context';
import { Button, ToolButton } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { ReplayPlayer } from '../replay-player';
import type { Replay } from '../store';
import { type Opened, OpenedText, openedBy } from './opened-text';
import { RunView } from './run';

interface ReplayProps {
  readonly replay: Replay;
  readonly host: HostState;
}

/** What may still be asked of the host: texts to read, and the end of the replay. */
const allowed: readonly FromView['type'][] = [
  'open-answer',
  'open-agent-text',
  'open-link',
  'open-instructions',
  'open-check-output',
  'close-replay',
];

export function ReplayView({ replay, host }: ReplayProps): JSX.Element | null {
  const panel = usePanel();
  const player = useMemo(() => ReplayPlayer.create(replay.events), [replay]);
  // A file is opened for the result; how it came about is looked at from there.
  const [index, setIndex] = useState(host.file === undefined ? 0 : (player?.last ?? 0));
  const [opened, setOpened] = useState<Opened | null>(null);
  const place = useRef(index);
  place.current = index;
  const now = useMemo(() => signal(0), []);
  const tools = useMemo(
    () => ({
      ...panel,
      now,
      isReplay: true,
      post: (message: FromView) => {
        if (panel.isFile) {
          setOpened(player === undefined ? null : openedIn(player, place.current, message));
        } else if (allowed.includes(message.type)) {
          panel.post(message);
        }
      },
    }),
    [panel, now, player],
  );
  if (player === undefined) {
    return null;
  }
  const state = player.stateAt(index);
  // Durations are those of the run; the day of its end is seen from the day of the reader.
  now.value = state.outcome === null ? state.lastEventAt : panel.now.peek();
  return (
    <PanelContext.Provider value={tools}>
      {host.file === undefined ? (
        <ReplayHead result={replay.result} runId={replay.runId} events={replay.events.length} />
      ) : (
        <FileHead notes={host.file.notes} />
      )}
      <RunView state={state} host={host} />
      <Controls player={player} index={index} onIndex={setIndex} state={state} />
      {opened === null ? null : <OpenedText opened={opened} onClose={() => setOpened(null)} />}
    </PanelContext.Provider>
  );
}

interface HeadProps {
  readonly result: ReplayResult;
  readonly runId: string;
  readonly events: number;
}

/** What came of playing the run again. */
function ReplayHead({ result, runId, events }: HeadProps): JSX.Element {
  const { post } = usePanel();
  const { difference, changedFiles } = result;
  const isSame = difference === null && changedFiles.length === 0;
  return (
    <section
      class="replay-head"
      aria-label="Replay"
      data-replay={isSame ? 'identical' : 'different'}
    >
      <p class="icon-line">
        {isSame ? <Icon name="pass" tone="ok" /> : <Icon name="warning" tone="ask" />}
        <span class="grow">
          <b>Replay</b> {isSame ? sameText(events) : differentText(result)}
        </span>
        <Button text="Close" onClick={() => post({ type: 'close-replay', runId })} />
      </p>
      {difference === null ? null : (
        <pre class="code-box" tabIndex={0} aria-label="First difference">
          {`expected ${difference.expected}\nactual   ${difference.actual}`}
        </pre>
      )}
    </section>
  );
}

function openedIn(player: ReplayPlayer, index: number, message: FromView): Opened | null {
  return openedBy(message, player.stateAt(index), player.eventsUpTo(index));
}

/** What is to be known of a file that shows a run. */
function FileHead({ notes }: { readonly notes: readonly string[] }): JSX.Element {
  return (
    <section class="replay-head" aria-label="This file">
      <p class="icon-line">
        <Icon name="history" />
        <span class="grow">
          <b>Recorded run</b> {notes.join(' ')}
        </span>
      </p>
    </section>
  );
}

function sameText(events: number): string {
  return `Identical: ${counted(events, 'event', 'events')} came out as recorded.`;
}

function differentText({ difference, changedFiles }: ReplayResult): string {
  return difference === null
    ? `${counted(changedFiles.length, 'file differs', 'files differ')}: ${changedFiles.join(', ')}`
    : `It differs from event ${difference.seq} on.`;
}

const speeds = [1, 4, 16, 64] as const;

interface ControlsProps {
  readonly player: ReplayPlayer;
  readonly index: number;
  readonly onIndex: (index: number) => void;
  readonly state: RunState;
}

function Controls({ player, index, onIndex, state }: ControlsProps): JSX.Element {
  const [speed, setSpeed] = useState<number>(4);
  const [isPlaying, setPlaying] = usePlaying(player, index, speed, onIndex);
  const isAtEnd = index >= player.last;
  const time = formatElapsed(state.lastEventAt - state.startedAt);
  const go = (to: number): void => {
    setPlaying(false);
    onIndex(to);
  };
  return (
    <div class="action-bar replay-bar" role="group" aria-label="Replay controls">
      <ToolButton
        icon="debug-step-back"
        name="Step Back"
        onClick={() => go(player.step(index, -1))}
      />
      <ToolButton
        icon={isPlaying ? 'debug-pause' : 'play'}
        name={isPlaying ? 'Pause' : isAtEnd ? 'Play from the Start' : 'Play'}
        onClick={() => {
          if (isAtEnd && !isPlaying) onIndex(0);
          setPlaying(!isPlaying);
        }}
      />
      <ToolButton icon="debug-step-over" name="Step" onClick={() => go(player.step(index, 1))} />
      <input
        class="replay-slider"
        type="range"
        aria-label="Event"
        aria-valuetext={`Event ${index + 1} of ${player.last + 1}, ${time}`}
        min={0}
        max={player.last}
        value={index}
        onInput={(event) => go(event.currentTarget.valueAsNumber)}
      />
      <span class="small replay-place" data-event={index}>
        {`${index + 1}/${player.last + 1}`}
      </span>
      <select
        class="chip"
        aria-label="Speed"
        value={speed}
        onChange={(event) => setSpeed(Number(event.currentTarget.value))}
      >
        {speeds.map((each) => (
          <option value={each} selected={each === speed}>{`${each}×`}</option>
        ))}
      </select>
    </div>
  );
}

/** Goes on by itself while it plays, in the rhythm of the run, and stops at the end. */
function usePlaying(
  player: ReplayPlayer,
  index: number,
  speed: number,
  onIndex: (index: number) => void,
): readonly [boolean, (isPlaying: boolean) => void] {
  const [isPlaying, setPlaying] = useState(false);
  const latest = useRef(onIndex);
  latest.current = onIndex;
  useEffect(() => {
    const pause = isPlaying ? player.pauseAfter(index, speed) : undefined;
    if (pause === undefined) {
      setPlaying(false);
      return undefined;
    }
    const timer = window.setTimeout(() => latest.current(index + 1), pause);
    return () => window.clearTimeout(timer);
  }, [isPlaying, player, index, speed]);
  return [isPlaying, setPlaying];
}
