// What the user can say to a team at work: to everybody, or to one agent.
import type { JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Slot } from '../../src/base/ids';
import { agentName } from '../../src/run/selectors/names';
import { asksOf } from '../../src/run/selectors/card-asks';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Button, ToolButton } from '../parts/buttons';

interface SteerBarProps {
  readonly state: RunState;
  readonly box: RefObject<HTMLInputElement | null>;
  /** `null`: the message goes to all. */
  readonly target: Slot | null;
  readonly onTarget: (target: Slot | null) => void;
}

/** One line that stays in place; Enter sends, Esc goes back to all. How far a message got stands in the timeline. */
export function SteerBar({ state, box, target, onTarget }: SteerBarProps): JSX.Element | null {
  const { post, isReplay } = usePanel();
  const [text, setText] = useState('');
  const { runId } = state;
  if (isReplay) {
    return null;
  }
  const name = target === null ? 'Message All Agents…' : `Message ${agentName(target)}…`;
  const send = (): void => {
    if (text.trim() !== '') {
      post({ type: 'steer', runId, text: text.trim(), slots: target === null ? null : [target] });
      setText('');
      onTarget(null);
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && target !== null) {
      event.preventDefault();
      onTarget(null);
    }
  };
  const late = state.agents.filter((agent) => asksOf(state, agent).includes('answer-now'));
  return (
    <div class="action-bar steer-bar" role="group" aria-label="Messages">
      <Button
        text="Answer Now"
        isDisabled={late.length === 0}
        onClick={() => {
          for (const { info } of late) post({ type: 'answer-now', runId, slot: info.slot });
        }}
      />
      <div class="line-box">
        <input
          ref={box}
          type="text"
          aria-label={name}
          placeholder={target === null ? 'Message All…' : name}
          dir="auto"
          maxLength={4000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {target === null ? null : (
          <ToolButton icon="close" name="To All Instead" onClick={() => onTarget(null)} />
        )}
        <ToolButton icon="send" name="Send" onClick={send} />
      </div>
    </div>
  );
}
