import type { ComponentChildren, JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  readonly text: string;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** Name of the button that opens it. */
  readonly name: string;
  readonly buttonClass: string;
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly item?: string;
}

/** A button that opens a short list of commands. Esc and a choice bring the focus back to the button. */
export function Menu({ name, buttonClass, children, items, item }: MenuProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useOpenMenu(root, isOpen, setOpen);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  return (
    <span class="menu-root" ref={root}>
      <button
        type="button"
        ref={button}
        class={buttonClass}
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-item={item}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen ? (
        <div
          id={id}
          class="menu"
          role="menu"
          aria-label={name}
          onKeyDown={(event) => onMenuKey(event, close)}
        >
          {items.map(({ text, onSelect }) => (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              class="menu-item"
              onClick={() => {
                close();
                onSelect();
              }}
            >
              {text}
            </button>
          ))}
        </div>
      ) : null}
    </span>
  );
}

/** An open menu has the focus, and closes when something else is pressed. */
function useOpenMenu(
  root: RefObject<HTMLElement | null>,
  isOpen: boolean,
  setOpen: (isOpen: boolean) => void,
): void {
  useLayoutEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) {
        setOpen(false);
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen, root, setOpen]);
}

function onMenuKey(event: TargetedKeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const targets = new Map([
    ['ArrowDown', items[(at + 1) % items.length]],
    ['ArrowUp', items.at(at - 1)],
    ['Home', items[0]],
    ['End', items.at(-1)],
  ]);
  const target = targets.get(event.key);
  if (target !== undefined) {
    target.focus();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    close();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
