import type { JSX } from 'preact';
import { Icon } from './icon';
import type { IconName } from './icon';

interface ButtonProps {
  readonly text: string;
  readonly onClick: () => void;
  readonly isPrimary?: boolean;
  readonly icon?: IconName;
  readonly isDisabled?: boolean;
}

/** A button with its words. Each state of the panel has one primary button at most. */
export function Button({ text, onClick, isPrimary, icon, isDisabled }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={isPrimary ? 'button button-primary' : 'button'}
      disabled={isDisabled ?? false}
      onClick={onClick}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {text}
    </button>
  );
}

interface ToolButtonProps {
  readonly icon: IconName;
  /** Name and tooltip, as the drawing stands alone. */
  readonly name: string;
  readonly onClick: () => void;
  /** Key of the item in its section's order of arrow keys. */
  readonly item?: string;
  /** Left out of the Tab order; reached by the keys of its row. */
  readonly isSkipped?: boolean;
}

/** A drawing of 22 px that can be pressed. */
export function ToolButton({ icon, name, onClick, item, isSkipped }: ToolButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="tool"
      aria-label={name}
      title={name}
      data-item={item}
      {...(isSkipped ? { tabIndex: -1 } : {})}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
