import type { JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';

interface TaskBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly task: string;
  /** Earlier tasks, newest first. */
  readonly history: readonly string[];
  readonly onChange: (task: string) => void;
  readonly onRun: () => void;
}

/**
 * Where the task is written. Up and Down with the caret at the edge go through earlier tasks; what was being written
 * comes back at the end.
 */
export function TaskBox({ box, task, history, onChange, onRun }: TaskBoxProps): JSX.Element {
  const draft = useRef('');
  const place = useRef(-1);

  function onKeyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    const { currentTarget: area } = event;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
    } else if (
      event.key === 'ArrowUp' &&
      area.selectionEnd === 0 &&
      place.current < history.length - 1
    ) {
      event.preventDefault();
      draft.current = place.current < 0 ? task : draft.current;
      goTo(area, place.current + 1, 'start');
    } else if (
      event.key === 'ArrowDown' &&
      area.selectionStart === task.length &&
      place.current >= 0
    ) {
      event.preventDefault();
      goTo(area, place.current - 1, 'end');
    }
  }

  function goTo(area: HTMLTextAreaElement, index: number, edge: 'start' | 'end'): void {
    place.current = index;
    const text = history[index] ?? draft.current;
    const caret = edge === 'start' ? 0 : text.length;
    // At once and not with the next frame: a key that is pressed meanwhile must find the caret in its place.
    area.value = text;
    area.setSelectionRange(caret, caret);
    onChange(text);
  }

  return (
    <div class="task-box">
      <textarea
        ref={box}
        aria-label="Task"
        placeholder="Describe a task."
        dir="auto"
        rows={3}
        value={task}
        onInput={(event) => {
          place.current = -1;
          onChange(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="task-box-foot">
        <span>{navigator.userAgent.includes('Mac') ? '⌘Enter' : 'Ctrl+Enter'}</span>
      </div>
    </div>
  );
}
