// Before a run: the task, who works on it, what they may touch, and what it may cost.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HostState } from '../../src/protocol/webview';
import { usePanel } from '../panel-context';
import { Button } from '../parts/buttons';
import { Icon } from '../parts/icon';
import { ForecastCard, SafetyCard, ScriptNotice } from './compose-cards';
import { ChecksCard } from './compose-checks';
import { ComposeFacts } from './compose-facts';
import { TaskBox } from './task-box';

interface ComposeProps {
  readonly host: HostState;
  /** Something stands above that has to be settled first. */
  readonly isBlocked: boolean;
  readonly prefill: { readonly task: string; readonly isFocused: boolean } | null;
}

/** Drafts are saved this long after the last key, ms. */
const saveDelayMs = 300;

export function ComposeView({ host, isBlocked, prefill }: ComposeProps): JSX.Element {
  const { post, memory } = usePanel();
  const [task, setTask] = useState(
    memory.value.draft === '' ? (host.sampleTask ?? '') : memory.value.draft,
  );
  const box = useRef<HTMLTextAreaElement>(null);
  const team = host.teams.find(({ id }) => id === host.teamId);

  useEffect(() => {
    if (prefill !== null) {
      setTask(prefill.task);
      if (prefill.isFocused) {
        box.current?.focus();
      }
    }
  }, [prefill]);
  useEffect(() => {
    setTask((text) => (text === '' ? (host.sampleTask ?? '') : text));
  }, [host.sampleTask]);
  const forgetDraft = useSavedDraft(task);

  const isReady = task.trim() !== '' && team !== undefined && !isBlocked;
  const run = (): void => {
    if (isReady) {
      forgetDraft();
      post({ type: 'start-run', task });
    }
  };
  const agents = team?.members.length ?? 0;
  return (
    <div class="compose">
      <h1 class="hidden-text">New run</h1>
      <TaskBox
        box={box}
        task={task}
        history={host.runs.map((entry) => entry.task)}
        onChange={setTask}
        onRun={run}
      />
      <ComposeFacts host={host} team={team} />
      {team?.isScripted ? (
        <ScriptNotice />
      ) : (
        <ForecastCard forecast={host.forecast} caps={host.caps} />
      )}
      <ChecksCard checks={host.checks} />
      <SafetyCard host={host} />
      <div class="button-row">
        <Button
          text={agents > 1 ? `Run ${agents} Agents` : 'Run'}
          icon="play"
          isPrimary={!isBlocked}
          isDisabled={!isReady}
          onClick={run}
        />
      </div>
      {host.hasNoModel ? <OtherWays /> : null}
    </div>
  );
}

/** Saves the text a moment after the last key. The returned function forgets it, as it has become a run. */
function useSavedDraft(task: string): () => void {
  const { memory } = usePanel();
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    timer.current = window.setTimeout(() => memory.remember({ draft: task }), saveDelayMs);
    return () => window.clearTimeout(timer.current);
  }, [task, memory]);
  return () => {
    window.clearTimeout(timer.current);
    memory.remember({ draft: '' });
  };
}

/** While only the script can run: the ways to a real model stay in sight. */
function OtherWays(): JSX.Element {
  const { post } = usePanel();
  return (
    <div class="card other-ways">
      <p class="icon-line">
        <Icon name="info" tone="dim" />
        <span>For tasks of your own, choose a way to a model.</span>
      </p>
      <div class="button-row">
        <Button
          text="Use Editor Models"
          onClick={() => post({ type: 'action', action: 'use-editor-models' })}
        />
        <Button
          text="Add Key or Server…"
          onClick={() => post({ type: 'action', action: 'add-key' })}
        />
      </div>
    </div>
  );
}
